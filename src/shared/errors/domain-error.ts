import type { LimitName } from '../config/config.js';
import { ERRORS, type ErrorCode } from './error-codes.js';

/** The limit that protects the service from overload. */
export const OVERLOAD_REASONS = [
  /** Requests in progress in a class of work. */
  'capacity',
  /** Requests in progress from one address or account. */
  'address',
  'account',
  /** A change of many records that the store cannot complete in time. */
  'store_queue',
  /** Requests that wait to change the same records. */
  'record_lock',
] as const;

export type OverloadReason = (typeof OVERLOAD_REASONS)[number];

/** The rate limit or overload limit that rejected a request. */
export type RejectedBy = LimitName | OverloadReason;

export const isOverloadReason = (by: RejectedBy): by is OverloadReason =>
  (OVERLOAD_REASONS as readonly RejectedBy[]).includes(by);

interface Hints {
  /** Seconds for Retry-After; defaults to the table's value. */
  readonly retryAfter?: number;
  /** The exceeded rate limit, for X-RateLimit-Limit. */
  readonly limit?: number;
  /** What rejected the request, for the metrics. */
  readonly rejectedBy?: RejectedBy;
  /** Logged, never sent. */
  readonly cause?: unknown;
}

/** An expected rejection of a request, with its code; the filter turns it into a response. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly retryAfter: number | undefined;
  readonly limit: number | undefined;
  readonly rejectedBy: RejectedBy | undefined;

  /**
   * @param code key of the error table
   * @param fields additional fields of the response, such as `errors` or `field`
   */
  constructor(
    readonly code: ErrorCode,
    readonly fields: Readonly<Record<string, unknown>> = {},
    { retryAfter, limit, rejectedBy, cause }: Hints = {},
  ) {
    super(ERRORS[code].message, { cause });
    this.retryAfter = retryAfter ?? ERRORS[code].retryAfter;
    this.limit = limit;
    this.rejectedBy = rejectedBy;
  }
}
