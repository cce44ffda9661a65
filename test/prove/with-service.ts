import { type Engine, newStore, SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { Operator } from '../smoke/operator.js';
import type { RunningService } from '../smoke/running-service.js';

/** Runs the built service on a new store, without limits, while it is used, and removes all that it has stored. */
export async function withService<T>(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  use: (service: RunningService) => Promise<T>,
): Promise<T> {
  const operator = new Operator({ ...SECRETS, ...NO_LIMITS, ...newStore(engine), ...env });
  try {
    return await use(await operator.start());
  } finally {
    await operator.leave();
  }
}
