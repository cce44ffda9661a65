import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from '../auth/principal.js';
import { DomainError } from './errors/domain-error.js';

/** Time limit for the work of a request or, outside requests, for a statement or transaction. */
export class Deadline {
  // Responses are due 3 s after the request's body; this leaves 200 ms to serialize and send.
  readonly milliseconds: number = 2_800;
}

/** The context of a request, available to all work for it. */
export interface RequestContext {
  readonly requestId: string;
  /** The client address that rate limits count by. */
  readonly address: string;
  /** The deadline of the request, in milliseconds of performance.now(). */
  readonly endsAt: number;
  /** Whether shipped software is waiting; such requests take priority. */
  readonly isLicenseCheck: boolean;
  /** The caller, once authenticated; undefined on public routes. */
  principal?: Principal;
}

/** The context of the current request; undefined outside requests. */
export const requestContext = new AsyncLocalStorage<RequestContext | undefined>();

/** The deadline of the current request, or of work that starts now, in milliseconds of performance.now(). */
export const currentDeadline = (deadline = new Deadline()): number =>
  requestContext.getStore()?.endsAt ?? performance.now() + deadline.milliseconds;

/** Time reserved for one step of a large change, in milliseconds. */
const STEP_TIME = 500;

/** The store is unreachable or too slow. The cause is logged but not sent. */
export const storeUnavailable = (cause: unknown): DomainError =>
  new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1, cause });

/** Other work came first. A deadline reached because of contention is not a store failure. */
export const recordLocked = (cause?: unknown): DomainError =>
  new DomainError('OVERLOADED', {}, { rejectedBy: 'record_lock', cause });

export const isStoreUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'STORE_UNAVAILABLE';

/** Turns a store outage into {@link recordLocked}. */
export const asContention = (error: unknown): unknown =>
  isStoreUnavailable(error) ? recordLocked(error) : error;

/**
 * The whole milliseconds until a deadline.
 *
 * @param endsAt in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE if less than one is left
 */
export function remainingTime(endsAt: number): number {
  const remaining = Math.floor(endsAt - performance.now());
  if (remaining <= 0) throw storeUnavailable('deadline');
  return remaining;
}

/**
 * Waits for work, but not past a deadline; the work itself is not canceled.
 *
 * @param endsAt in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE at the deadline
 */
export function withDeadline<T>(endsAt: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(storeUnavailable('deadline'));
    const timer = setTimeout(fail, Math.max(0, endsAt - performance.now()));
    const settled = () => clearTimeout(timer);
    work.finally(settled).then(resolve, reject);
  });
}

/** Whether time is left for another step of a large change. */
export function isTimeForStep(): boolean {
  const { endsAt = Infinity } = requestContext.getStore() ?? {};
  return performance.now() < endsAt - STEP_TIME;
}

/** @throws DomainError OVERLOADED if no time is left for another step of a large change; a repeated request continues it */
export function requireTimeForStep(): void {
  if (!isTimeForStep()) throw new DomainError('OVERLOADED', {}, { rejectedBy: 'store_queue' });
}
