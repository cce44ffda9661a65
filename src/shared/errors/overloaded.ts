import { DomainError } from './domain-error.js';

/** Seconds for Retry-After. */
const RETRY_AFTER = 1;

/** The error of work that does not begin because too much other work is waiting. */
export const overloaded = (): DomainError =>
  new DomainError('OVERLOADED', {}, { retryAfter: RETRY_AFTER });
