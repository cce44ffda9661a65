import { randomUUID } from 'node:crypto';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';
import { LANGUAGES } from '../sdk/languages.js';
import { RunnerProcess } from '../sdk/runner-process.js';
import { drive } from '../sdk/sdk-program.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/**
 * A program with the Node SDK on a machine of a customer.
 *
 * @param keys the signing keys that are built into the program
 * @returns what calls a method of the SDK, in a process of its own
 */
export function licensedMachine(
  tested: ConsoleUnderTest,
  product: string,
  { issuer, current, next }: { issuer: string; current: PublicJwk; next: PublicJwk },
) {
  const options = {
    ...{ service: tested.service.url, issuer, product, keys: [current, next] },
    ...{ folder: tested.path(randomUUID()), fingerprint: `fingerprint-${randomUUID()}` },
  };
  return async (...call: string[]) => {
    const runner = new RunnerProcess(LANGUAGES[0]!.build());
    try {
      const [result = null] = await drive(runner, options, [call]);
      return result;
    } finally {
      await runner.stop();
    }
  };
}
