import { ERRORS, type ErrorCode } from './error-codes.js';

/** A rejection that the caller is told of, by its code; the filter turns it into a response. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly retryAfter: number | undefined;
  readonly limit: number | undefined;

  /**
   * @param code the row of the error table
   * @param fields further fields of the response, such as `errors` or `field`
   * @param hints seconds after which it is worth trying again, for the Retry-After header; the limit that
   *   rejects, for X-RateLimit-Limit; the cause, for the log alone
   */
  constructor(
    readonly code: ErrorCode,
    readonly fields: Readonly<Record<string, unknown>> = {},
    { retryAfter, limit, cause }: { retryAfter?: number; limit?: number; cause?: unknown } = {},
  ) {
    super(ERRORS[code].message, { cause });
    this.retryAfter = retryAfter;
    this.limit = limit;
  }
}
