import { DomainError } from '../shared/errors/domain-error.js';
import { Deadline, requestContext, whileWaiting } from '../shared/request-context.js';
import { storeUnavailable } from './store-unavailable.js';

/** Most callers that wait for one key. */
export const MAX_WAITING = 64;

/** Longest wait under overload, in milliseconds. */
const WAIT_UNDER_OVERLOAD = 100;

/** Called when the key is free. */
type Waiter = () => void;

/** Runs work of the same key one after the other, in order of arrival; work of different keys does not wait. */
export class KeyedMutex {
  /** The waiters of each key that is locked, in order. */
  private readonly locked = new Map<string, Set<Waiter>>();

  /**
   * Runs work while no other work of its key runs. Waiting does not occupy the request's capacity.
   *
   * @throws DomainError TOO_MANY_CONCURRENT_REQUESTS where too many wait for the key; OVERLOADED where one waits while
   *   other requests of its class are rejected; STORE_UNAVAILABLE at the request's deadline
   */
  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    let isLocked = false;
    try {
      await this.lock(key, () => (isLocked = true));
      return await work();
    } finally {
      if (isLocked) this.unlock(key);
    }
  }

  /** How many keys are locked. */
  get size(): number {
    return this.locked.size;
  }

  private async lock(key: string, onLocked: () => void): Promise<void> {
    const waiters = this.locked.get(key);
    if (!waiters) {
      this.locked.set(key, new Set());
      onLocked();
      return;
    }
    if (waiters.size >= MAX_WAITING) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: 'record_lock' });
    }
    // The lock is taken before the request takes back its capacity, which may fail.
    await whileWaiting(() => waitIn(waiters, onLocked));
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

function waitIn(waiters: Set<Waiter>, onLocked: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const context = requestContext.getStore();
    const stopWaiting = () => {
      clearInterval(interval);
      clearTimeout(timeout);
      waiters.delete(enter);
    };
    const leave = (reason: Error) => {
      stopWaiting();
      reject(reason);
    };
    const enter = () => {
      stopWaiting();
      onLocked();
      resolve();
    };
    const remaining = context ? context.endsAt - performance.now() : new Deadline().milliseconds;
    const timeout = setTimeout(() => leave(storeUnavailable('deadline')), remaining);
    const interval = setInterval(
      () =>
        context?.isOverloaded() &&
        leave(new DomainError('OVERLOADED', {}, { rejectedBy: 'record_lock' })),
      WAIT_UNDER_OVERLOAD,
    );
    waiters.add(enter);
  });
}
