import { DomainError } from '../shared/errors/domain-error.js';

/** The store cannot be reached, or is too slow. The cause is only logged. */
export const storeUnavailable = (cause: unknown): DomainError =>
  new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1, cause });

/** Where other work had to be waited for, or was faster: a deadline that came because of it is no failure of the store. */
export const recordLocked = (cause?: unknown): DomainError =>
  new DomainError('OVERLOADED', {}, { rejectedBy: 'record_lock', cause });

/** An error as {@link recordLocked} where the store was unavailable. */
export const lockedIfUnavailable = (error: unknown): unknown =>
  error instanceof DomainError && error.code === 'STORE_UNAVAILABLE' ? recordLocked(error) : error;
