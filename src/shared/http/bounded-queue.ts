import pLimit from 'p-limit';
import { DomainError } from '../errors/domain-error.js';
import { whileWaiting } from './request-context.js';

/** Seconds for Retry-After. */
const RETRY_AFTER = 1;

/**
 * Runs a few pieces of costly work at once and lets a bounded number wait. Neither occupies capacity of the
 * request's class of work.
 */
export class BoundedQueue {
  private readonly queue;

  constructor(
    atOnce: number,
    private readonly maxWaiting: number,
  ) {
    this.queue = pLimit(atOnce);
  }

  /**
   * For work that begins with something else, which would be in vain.
   *
   * @throws DomainError OVERLOADED where too many wait
   */
  check(): void {
    if (this.queue.pendingCount >= this.maxWaiting) {
      throw new DomainError('OVERLOADED', {}, { retryAfter: RETRY_AFTER });
    }
  }

  /** @throws DomainError OVERLOADED where too many wait */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    return whileWaiting(() => this.queue(work));
  }
}
