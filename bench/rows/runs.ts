import type { Engine } from '../../test/engines.js';
import type { HttpCaller } from '../../test/http-caller.js';
import { NO_LIMITS } from '../../test/no-limits.js';
import { withOperator } from '../../test/prove/processes.js';
import { times } from '../../test/prove/prove.js';
import type { Operator } from '../../test/smoke/operator.js';

export const ROUNDS = times({ short: 1, long: 7 });
/** Duration of a round. */
export const SECONDS = times({ short: 0.5, long: 2 });
/** Licenses per account. */
export const LICENSES = times({ short: 10_000, long: 100_000 });

/** Gives an operator a new store; the service runs without limits and logs to a file. */
export const onStore = <T>(
  engine: Engine,
  use: (operator: Operator, env: NodeJS.ProcessEnv) => Promise<T>,
  env: NodeJS.ProcessEnv = {},
): Promise<T> =>
  withOperator(engine, { ...NO_LIMITS, SHUTDOWN_DRAIN: '0', ...env }, use, 'service.log');

/** Adds an account with a project that has this many more licenses than its first one, none activated. */
export async function fill(service: HttpCaller, count: number, terms: object = {}) {
  const vendor = await service.register();
  const { client, project } = await service.createLicense(vendor);
  const keys = await service.addLicenses(vendor, project, count, terms);
  return { ...vendor, client, project, keys };
}
