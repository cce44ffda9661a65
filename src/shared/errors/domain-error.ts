import { ERRORS, type ErrorCode } from './error-codes.js';

/** An expected rejection of a request, with its code; the filter turns it into a response. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly retryAfter: number | undefined;
  readonly limit: number | undefined;

  /**
   * @param code key of the error table
   * @param fields further fields of the response, such as `errors` or `field`
   * @param hints `retryAfter`: seconds for Retry-After, by default those of the table; `limit`: the rate limit that
   *   rejects, for X-RateLimit-Limit; `cause`: only logged
   */
  constructor(
    readonly code: ErrorCode,
    readonly fields: Readonly<Record<string, unknown>> = {},
    { retryAfter, limit, cause }: { retryAfter?: number; limit?: number; cause?: unknown } = {},
  ) {
    super(ERRORS[code].message, { cause });
    this.retryAfter = retryAfter ?? ERRORS[code].retryAfter;
    this.limit = limit;
  }
}
