import type { Limit } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { FixedWindows, toSeconds } from './fixed-windows.js';
import type { RateLimitStatus } from './rate-limit-status.js';

/** Holds the requests of each key to one limit; 0 requests is no limit. */
export class RequestLimit {
  private readonly windows = new FixedWindows();

  constructor(private readonly limit: Limit) {}

  /** @throws DomainError TOO_MANY_REQUESTS where the key's window is full */
  check(key: string, now: number): void {
    const { requests: limit } = this.limit;
    const wait = limit > 0 ? this.windows.waitFor(key, limit, now) : 0;
    if (wait > 0) {
      throw new DomainError('TOO_MANY_REQUESTS', {}, { limit, retryAfter: toSeconds(wait) });
    }
  }

  /** Counts a request; undefined where there is no limit. */
  count(key: string, now: number): RateLimitStatus | undefined {
    const { requests: limit } = this.limit;
    if (limit === 0) return undefined;
    const { hits, endsIn } = this.windows.hit(key, this.limit.seconds * 1000, now);
    return { limit, remaining: Math.max(0, limit - hits), reset: toSeconds(endsIn) };
  }
}
