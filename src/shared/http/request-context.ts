import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import type { Deadline } from '../time/deadline.js';
import './overload/work.js';
import { addressOf } from './client-address.decorator.js';

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

/** Gives each request its context once its body has arrived: a slow sender uses up no time of the deadline. */
export function provideRequestContext(fastify: FastifyInstance, deadline: Deadline): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const context: RequestContext = {
      requestId: request.id,
      address: addressOf(request),
      endsAt: performance.now() + deadline.milliseconds,
      whileWaiting: (wait) => request.work?.whileWaiting(wait) ?? wait(),
      isOverloaded: () => request.work?.isOverloaded() ?? false,
    };
    requestContext.run(context, done);
  });
}
