import { randomUUID } from 'node:crypto';
import { LANGUAGES } from '../sdk/languages.js';
import { RunnerProcess } from '../sdk/runner-process.js';
import { drive, type LicenseOptions, type Result } from '../sdk/sdk-program.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** A program with the Node SDK on a machine of a customer. */
export class LicensedMachine {
  private readonly options: LicenseOptions;

  /** @param keys the signing keys that are built into the program */
  constructor(
    tested: ConsoleUnderTest,
    product: string,
    { issuer, current, next }: { issuer: string; current: object; next: object },
  ) {
    this.options = {
      service: tested.service.url,
      issuer,
      product,
      keys: [current, next],
      folder: tested.path(randomUUID()),
      fingerprint: `fingerprint-${randomUUID()}`,
    };
  }

  /** Calls a method of the SDK in a process of its own. */
  async call(...call: string[]): Promise<Result> {
    const runner = new RunnerProcess(LANGUAGES[0]!.build());
    try {
      const [result = null] = await drive(runner, this.options, [call]);
      return result;
    } finally {
      await runner.stop();
    }
  }
}
