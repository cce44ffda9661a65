import { storeUnavailable } from './store-unavailable.js';

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
 * Waits for work until a deadline, however long it goes on.
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
