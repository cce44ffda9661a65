import { DomainError } from '../shared/errors/domain-error.js';

/** The store cannot be reached, or is too slow. The cause is only logged. */
export const storeUnavailable = (cause: unknown): DomainError =>
  new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1, cause });
