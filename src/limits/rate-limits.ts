import type { Limit } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';

/** The open window of a key; zeros if none is open. */
export interface Window {
  /** At most limit + 1, which means a hit was rejected. */
  readonly hits: number;
  /** Milliseconds until the window ends. */
  readonly endsIn: number;
}

/** The values of the X-RateLimit-* headers. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
}

/**
 * Counts hits per key in fixed windows that start with the first hit. Instances that share a store count together. A
 * rejected hit neither counts nor extends the window. A limit of 0 is off.
 *
 * @throws DomainError STORE_UNAVAILABLE, OVERLOADED if the request cannot be counted
 */
export abstract class RateLimits {
  /**
   * Counts a hit in one atomic step. Rejects it if that would exceed the limit.
   *
   * @param cost 0 only reads the window
   */
  abstract hit(limit: Limit, key: string, cost?: 0 | 1): Promise<Window>;

  /**
   * Counts a hit.
   *
   * @param most maximum number of accepted hits
   * @returns undefined if the limit is off
   * @throws DomainError TOO_MANY_REQUESTS beyond the limit
   */
  async count(
    limit: Limit,
    key: string,
    cost: 0 | 1 = 1,
    most = limit.requests - 1 + cost,
  ): Promise<RateLimitStatus | undefined> {
    if (limit.requests === 0) return undefined;
    return accept(limit, await this.hit(limit, key, cost), most);
  }

  /** Like {@link count}, for a hit that may follow and is not counted yet. */
  check(limit: Limit, key: string, most?: number): Promise<RateLimitStatus | undefined> {
    return this.count(limit, key, 0, most);
  }
}

/**
 * The status of a limit that accepts the request.
 *
 * @param most maximum number of accepted hits
 * @throws DomainError TOO_MANY_REQUESTS beyond that
 */
export function accept(
  { name, requests: limit }: Limit,
  { hits, endsIn }: Window,
  most: number,
): RateLimitStatus {
  const reset = Math.ceil(endsIn / 1000);
  if (hits > most) throw tooManyRequests({ name, requests: limit }, reset);
  return { limit, remaining: Math.max(0, limit - hits), reset };
}

/** @param retryAfter seconds until the window ends */
export const tooManyRequests = (
  { name, requests: limit }: Pick<Limit, 'name' | 'requests'>,
  retryAfter: number,
): DomainError => new DomainError('TOO_MANY_REQUESTS', {}, { limit, rejectedBy: name, retryAfter });
