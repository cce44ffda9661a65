import { DomainError } from '../shared/errors/domain-error.js';

/** Seconds for Retry-After. */
const RETRY_AFTER = 1;

/**
 * The error of a store that cannot be reached, or is too slow.
 *
 * @param cause for the log alone
 */
export const storeUnavailable = (cause: unknown): DomainError =>
  new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: RETRY_AFTER, cause });
