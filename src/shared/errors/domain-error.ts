import type { LimitName } from '../config/config.js';
import { ERRORS, type ErrorCode } from './error-codes.js';

/** The bounds that protect the service from overload. */
export const OVERLOAD_REASONS = [
  /** Requests in progress of a class of work. */
  'capacity',
  /** Requests in progress of one address or one account. */
  'address',
  'account',
  /** A change of many records that the store cannot complete in time. */
  'store_queue',
  /** Requests that wait to change the same records. */
  'record_lock',
] as const;

export type OverloadReason = (typeof OVERLOAD_REASONS)[number];

/** The rate limit or the bound that rejects a request. */
export type RejectedBy = LimitName | OverloadReason;

export const isOverloadReason = (by: RejectedBy): by is OverloadReason =>
  (OVERLOAD_REASONS as readonly RejectedBy[]).includes(by);

interface Hints {
  /** Seconds for Retry-After, by default those of the table. */
  readonly retryAfter?: number;
  /** The rate limit that rejects, for X-RateLimit-Limit. */
  readonly limit?: number;
  /** What rejects, for the metrics. */
  readonly rejectedBy?: RejectedBy;
  /** Only logged. */
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
   * @param fields further fields of the response, such as `errors` or `field`
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
