import { DomainError } from './domain-error.js';

/** Seconds for Retry-After. */
const RETRY_AFTER = 1;

/** The rejection of work because too much other work is waiting. */
export const overloaded = (): DomainError =>
  new DomainError('OVERLOADED', {}, { retryAfter: RETRY_AFTER });
