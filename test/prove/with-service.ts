import { type Engine, newStore, SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { Operator } from '../smoke/operator.js';
import type { RunningService } from '../smoke/running-service.js';

/** Runs the built service on a new store, without limits, while it is used, and removes all that it has stored. */
export const withService = <T>(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  use: (service: RunningService) => Promise<T>,
): Promise<T> =>
  withOperator(engine, { ...NO_LIMITS, ...env }, async (operator) => use(await operator.start()));

/**
 * Gives an operator a new store while the operator is used, and removes all that it has stored.
 *
 * @param log see {@link Operator}
 * @param use has the variables of the store, too
 */
export async function withOperator<T>(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  use: (operator: Operator, store: NodeJS.ProcessEnv) => Promise<T>,
  log?: string,
): Promise<T> {
  const all = { ...SECRETS, ...newStore(engine), ...env };
  const operator = new Operator(all, log);
  try {
    return await use(operator, { ...all, DATA_DIR: operator.path('data') });
  } finally {
    await operator.leave();
  }
}
