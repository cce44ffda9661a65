import type { Limit } from '../shared/config/config.js';
import { accept, type RateLimitStatus, type Window } from './window.js';

/**
 * Counts the hits of each key in fixed windows that begin with its first hit. Instances that share a store count together. A
 * rejected hit neither counts nor lengthens the window. A limit of 0 requests is off.
 *
 * @throws DomainError STORE_UNAVAILABLE, OVERLOADED: a request that cannot be counted is rejected
 */
export abstract class RateLimits {
  /**
   * Counts a hit in one atomic step. It is rejected if the window has more hits than the limit afterwards.
   *
   * @param cost 0 only reads the window
   */
  abstract hit(limit: Limit, key: string, cost?: 0 | 1): Promise<Window>;

  /**
   * Counts a hit.
   *
   * @returns undefined if the limit is off
   * @throws DomainError TOO_MANY_REQUESTS beyond the limit
   */
  count(limit: Limit, key: string): Promise<RateLimitStatus | undefined> {
    return this.judge(limit, key, 1, limit.requests);
  }

  /**
   * As {@link count}, before a hit that may follow, which is not counted yet.
   *
   * @throws DomainError TOO_MANY_REQUESTS if the limit is reached
   */
  check(limit: Limit, key: string): Promise<RateLimitStatus | undefined> {
    return this.judge(limit, key, 0, limit.requests - 1);
  }

  /** As {@link check}, without a rejection. */
  status(limit: Limit, key: string): Promise<RateLimitStatus | undefined> {
    return this.judge(limit, key, 0, Infinity);
  }

  private async judge(limit: Limit, key: string, cost: 0 | 1, most: number) {
    if (limit.requests === 0) return undefined;
    return accept(limit, await this.hit(limit, key, cost), most);
  }
}
