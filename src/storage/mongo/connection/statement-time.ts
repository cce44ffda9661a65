import { timeUntil } from '../../deadline.js';
import { storeUnavailable } from '../../store-unavailable.js';

/** The server ends a statement this many milliseconds before the driver would: so its connection is kept. */
const SERVER_MARGIN = 100;

/** Options by which a statement ends at its deadline. */
export interface StatementOptions {
  /** Ends it on the server. */
  readonly maxTimeMS: number;
  /** Ends waiting for it, and trying it again, in the driver, which closes its connection then. */
  readonly signal: AbortSignal;
}

export type Statement<T> = (options: StatementOptions) => Promise<T>;

/**
 * Runs a statement that ends at a deadline.
 *
 * @param endsAt the deadline, in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE at the deadline
 */
export async function runUntil<T>(endsAt: number, statement: Statement<T>): Promise<T> {
  const remaining = timeUntil(endsAt);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(storeUnavailable('deadline')), remaining);
  try {
    // 0 would be no limit.
    return await statement({
      maxTimeMS: Math.max(1, remaining - SERVER_MARGIN),
      signal: controller.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}
