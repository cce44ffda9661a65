import { ERRORS, type ErrorCode } from './error-codes.js';
import type { RejectedBy } from './rejected-by.js';

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
