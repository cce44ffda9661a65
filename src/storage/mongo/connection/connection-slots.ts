import pLimit from 'p-limit';
import { DomainError } from '../../../shared/errors/domain-error.js';
import { MAX_POOL_SIZE } from './connection-options.js';

/** Connections of the pool that only license checks use. */
const RESERVED = 36;
/** Most statements and transactions of other work that may wait for a connection. */
const MAX_WAITING = 1_024;

/** Shipped software waits for license checks, so they come first. */
export type Priority = 'license check' | 'other';

/** Keeps connections free for license checks, so that they never wait for one behind other work. */
export class ConnectionSlots {
  private readonly others = pLimit(MAX_POOL_SIZE - RESERVED);

  /** Statements and transactions that wait for a connection. */
  get waiting(): number {
    return this.others.pendingCount;
  }

  /**
   * Runs work that uses one connection at a time.
   *
   * @param signal keeps work from beginning, with its reason
   * @throws DomainError OVERLOADED where too much other work waits
   */
  async run<T>(priority: Priority, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (priority === 'license check') return work();
    if (this.waiting >= MAX_WAITING) {
      throw new DomainError('OVERLOADED', {}, { rejectedBy: 'store_queue' });
    }
    return this.others(() => {
      signal.throwIfAborted();
      return work();
    });
  }
}
