import pLimit from 'p-limit';
import { overloaded } from '../errors/overloaded.js';
import { whileWaiting } from './request-context.js';

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
      throw overloaded();
    }
  }

  /** @throws DomainError OVERLOADED where too many wait */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    return whileWaiting(() => this.queue(work));
  }
}
