import type { Limit } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';

/** The open window of a key; zeros if none is open. */
export interface Window {
  /** At most one more than the limit: then a hit was rejected. */
  readonly hits: number;
  /** Milliseconds until it ends. */
  readonly endsIn: number;
}

/** The values of the X-RateLimit-* headers. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
}

/** @param retryAfter seconds until the window ends */
export const tooManyRequests = (
  { name, requests: limit }: Pick<Limit, 'name' | 'requests'>,
  retryAfter: number,
): DomainError => new DomainError('TOO_MANY_REQUESTS', {}, { limit, rejectedBy: name, retryAfter });

/**
 * The status of a limit that accepts a request.
 *
 * @param most hits that it accepts
 * @throws DomainError TOO_MANY_REQUESTS beyond them
 */
export function accept(
  { name, requests: limit }: Limit,
  { hits, endsIn }: Window,
  most = limit,
): RateLimitStatus {
  const reset = Math.ceil(endsIn / 1000);
  if (hits > most) throw tooManyRequests({ name, requests: limit }, reset);
  return { limit, remaining: Math.max(0, limit - hits), reset };
}
