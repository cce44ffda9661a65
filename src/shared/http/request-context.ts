import { AsyncLocalStorage } from 'node:async_hooks';

/** What the work for a request may use of it, wherever in the program it is done. */
export interface RequestContext {
  /** The request's deadline, in milliseconds of performance.now(). */
  readonly endsAt: number;
  /** Waits for a lock, a mutex or a queue without occupying the capacity that the request has taken. */
  whileWaiting<T>(wait: () => Promise<T>): Promise<T>;
}

/** The context of the request that the current work is for; undefined outside of requests. */
export const requestContext = new AsyncLocalStorage<RequestContext>();
