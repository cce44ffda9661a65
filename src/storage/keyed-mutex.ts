import pLimit, { type LimitFunction } from 'p-limit';
import { DomainError } from '../shared/errors/domain-error.js';
import { endOfWork } from '../shared/request-context.js';
import { beforeDeadline, timeUntil } from './deadline.js';
import { lockedIfUnavailable } from './store-unavailable.js';

/** Most callers that wait for one key. */
export const MAX_WAITING = 64;

/**
 * Runs work of the same key one after the other, in order of arrival; work of different keys does not wait. Without it, 20 machines that
 * race for one license on MongoDB take three times as long, and of 64 changes of one record a third fails at its deadline.
 */
export class KeyedMutex {
  /** Of each key whose work runs or waits. */
  private readonly locks = new Map<string, LimitFunction>();

  /**
   * Runs work while no other work of its key runs, until the request's deadline.
   *
   * @throws DomainError TOO_MANY_CONCURRENT_REQUESTS where too many wait for the key; STORE_UNAVAILABLE at the deadline. Where the work had
   *   to wait, each STORE_UNAVAILABLE becomes OVERLOADED, also one that the work throws
   */
  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lock = this.locks.get(key) ?? pLimit(1);
    this.locks.set(key, lock);
    const hasToWait = lock.activeCount > 0;
    if (lock.pendingCount >= MAX_WAITING) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: 'record_lock' });
    }
    const endsAt = endOfWork();
    const inTurn = async () => {
      try {
        timeUntil(endsAt);
        return await work();
      } finally {
        if (lock.pendingCount === 0) this.locks.delete(key);
      }
    };
    try {
      return await beforeDeadline(endsAt, lock(inTurn));
    } catch (error) {
      throw hasToWait ? lockedIfUnavailable(error) : error;
    }
  }

  /** How many keys are locked. */
  get size(): number {
    return this.locks.size;
  }
}
