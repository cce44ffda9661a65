import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from '../auth/principal.js';
import { DomainError } from './errors/domain-error.js';

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

/** Milliseconds of a request that a step of a large change needs. */
const STEP_TIME = 500;

/** The store cannot be reached, or is too slow. The cause is only logged. */
export const storeUnavailable = (cause: unknown): DomainError =>
  new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1, cause });

/** Other work was faster, or had to be waited for: a deadline that comes because of it is no failure of the store. */
export const recordLocked = (cause?: unknown): DomainError =>
  new DomainError('OVERLOADED', {}, { rejectedBy: 'record_lock', cause });

/** An error as {@link recordLocked} if the store was unavailable. */
export const lockedIfUnavailable = (error: unknown): unknown =>
  error instanceof DomainError && error.code === 'STORE_UNAVAILABLE' ? recordLocked(error) : error;

/**
 * The whole milliseconds until a deadline.
 *
 * @param endsAt in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE from the last one on
 */
export function timeUntil(endsAt: number): number {
  const remaining = Math.floor(endsAt - performance.now());
  if (remaining <= 0) throw storeUnavailable('deadline');
  return remaining;
}

/**
 * Waits for work until a deadline, however long it continues.
 *
 * @param endsAt in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE at the deadline
 */
export function beforeDeadline<T>(endsAt: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(storeUnavailable('deadline'));
    const timer = setTimeout(fail, Math.max(0, endsAt - performance.now()));
    const settled = () => clearTimeout(timer);
    work.finally(settled).then(resolve, reject);
  });
}

/** @throws DomainError OVERLOADED if the request has no time for another step of a large change: a repeat continues it */
export function requireTimeForStep(): void {
  const { endsAt = Infinity } = requestContext.getStore() ?? {};
  if (performance.now() < endsAt - STEP_TIME) return;
  throw new DomainError('OVERLOADED', {}, { rejectedBy: 'store_queue' });
}
