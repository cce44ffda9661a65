import { AsyncLocalStorage } from 'node:async_hooks';

/** What the work for a request may use of it, wherever in the program it is done. */
export interface RequestContext {
  readonly requestId: string;
  /** The caller's, as limits count it. */
  readonly address: string;
  /** The request's deadline, in milliseconds of performance.now(). */
  readonly endsAt: number;
  /** Waits for a lock, a mutex or a queue without occupying the capacity that the request has taken. */
  whileWaiting<T>(wait: () => Promise<T>): Promise<T>;
  /** Whether requests of its class are being rejected: then it should not wait long. */
  isOverloaded(): boolean;
}

/** The context of the request that the current work is for; undefined outside of requests. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** {@link RequestContext.whileWaiting} of the current request; outside of requests, it simply waits. */
export function whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
  return requestContext.getStore()?.whileWaiting(wait) ?? wait();
}
