import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from '../auth/principal.js';

/** Time limit for the work of a request; outside of requests, for a statement or a transaction. */
export class Deadline {
  // A response is sent within 3 s of its request's body: this leaves 200 ms to serialize and send it.
  readonly milliseconds: number = 2_800;
}

/** The context of a request, available to all work for it. */
export interface RequestContext {
  readonly requestId: string;
  /** The client address that rate limits count by. */
  readonly address: string;
  /** The request's deadline, in milliseconds of performance.now(). */
  readonly endsAt: number;
  /** Whether shipped software waits for it: such requests come before all others. */
  readonly isLicenseCheck: boolean;
  /** Who sends it, once it is authenticated; undefined on public routes. */
  principal?: Principal;
}

/** The context of the request that the current work is for; undefined outside of requests. */
export const requestContext = new AsyncLocalStorage<RequestContext | undefined>();

/** The deadline of the current request, else of work that begins now, in milliseconds of performance.now(). */
export const endOfWork = (deadline = new Deadline()): number =>
  requestContext.getStore()?.endsAt ?? performance.now() + deadline.milliseconds;
