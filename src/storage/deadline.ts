import { DomainError } from '../shared/errors/domain-error.js';
import { requestContext } from '../shared/request-context.js';

/** Milliseconds of a request that a step of a large change needs. */
const STEP_TIME = 500;

/** The store cannot be reached, or is too slow. The cause is only logged. */
export const storeUnavailable = (cause: unknown): DomainError =>
  new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1, cause });

/** Other work was faster, or had to be waited for: a deadline that comes because of it is no failure of the store. */
export const recordLocked = (cause?: unknown): DomainError =>
  new DomainError('OVERLOADED', {}, { rejectedBy: 'record_lock', cause });

/** An error as {@link recordLocked} if the store was unavailable. */
export const lockedIfUnavailable = (error: unknown): unknown =>
  error instanceof DomainError && error.code === 'STORE_UNAVAILABLE' ? recordLocked(error) : error;

/**
 * The whole milliseconds until a deadline.
 *
 * @param endsAt in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE from the last one on
 */
export function timeUntil(endsAt: number): number {
  const remaining = Math.floor(endsAt - performance.now());
  if (remaining <= 0) throw storeUnavailable('deadline');
  return remaining;
}

/**
 * Waits for work until a deadline, however long it continues.
 *
 * @param endsAt in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE at the deadline
 */
export function beforeDeadline<T>(endsAt: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(storeUnavailable('deadline'));
    const timer = setTimeout(fail, Math.max(0, endsAt - performance.now()));
    const settled = () => clearTimeout(timer);
    work.finally(settled).then(resolve, reject);
  });
}

/** @throws DomainError OVERLOADED if the request has no time for another step of a large change: a repeat continues it */
export function requireTimeForStep(): void {
  const { endsAt = Infinity } = requestContext.getStore() ?? {};
  if (performance.now() < endsAt - STEP_TIME) return;
  throw new DomainError('OVERLOADED', {}, { rejectedBy: 'store_queue' });
}
