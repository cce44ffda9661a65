import { DomainError } from '../shared/errors/domain-error.js';
import { endOfWork } from '../shared/request-context.js';
import { recordLocked } from './store-unavailable.js';

/** Most callers that wait for one key. */
export const MAX_WAITING = 64;

/** Called when the key is free. */
type Waiter = () => void;

/** Runs work of the same key one after the other, in order of arrival; work of different keys does not wait. */
export class KeyedMutex {
  /** The waiters of each key that is locked, in order. */
  private readonly locked = new Map<string, Set<Waiter>>();

  /**
   * Runs work while no other work of its key runs.
   *
   * @param work gets whether it has waited for other work
   * @throws DomainError TOO_MANY_CONCURRENT_REQUESTS where too many wait for the key; OVERLOADED at the request's deadline
   */
  async runExclusive<T>(key: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const hasWaited = await this.lock(key);
    try {
      return await work(hasWaited);
    } finally {
      this.unlock(key);
    }
  }

  /** How many keys are locked. */
  get size(): number {
    return this.locked.size;
  }

  /** @returns whether it has waited */
  private async lock(key: string): Promise<boolean> {
    const waiters = this.locked.get(key);
    if (!waiters) {
      this.locked.set(key, new Set());
      return false;
    }
    if (waiters.size >= MAX_WAITING) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: 'record_lock' });
    }
    await waitIn(waiters);
    return true;
  }

  private unlock(key: string): void {
    const waiters = this.locked.get(key);
    const [next] = waiters ?? [];
    if (!waiters || !next) {
      this.locked.delete(key);
      return;
    }
    next();
  }
}

function waitIn(waiters: Set<Waiter>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => {
      waiters.delete(enter);
      reject(recordLocked());
    }, endOfWork() - performance.now());
    const enter = () => {
      clearTimeout(timeout);
      waiters.delete(enter);
      resolve();
    };
    waiters.add(enter);
  });
}
