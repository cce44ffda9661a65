import { FixedWindows } from '../../shared/rate-limit/fixed-windows.js';
import type { NamedLimit } from '../../shared/rate-limit/rate-limit-windows.js';
import { type RateLimitStatus, tooManyRequests, toRateLimitStatus } from './rate-limit-status.js';

/** Limits the requests of each key, counted by this process alone and without waiting; 0 requests is no limit. */
export class RequestLimit {
  private readonly windows = new FixedWindows();

  constructor(private readonly limit: NamedLimit) {}

  /** @throws DomainError TOO_MANY_REQUESTS where the key's window is full */
  check(key: string, now: number): void {
    const { requests } = this.limit;
    const window = this.windows.find(key, now);
    if (requests > 0 && window && window.hits >= requests) {
      throw tooManyRequests(this.limit, window.endsAt - now);
    }
  }

  /** Counts a request; undefined where there is no limit. */
  count(key: string, now: number): RateLimitStatus | undefined {
    const { requests, seconds } = this.limit;
    if (requests === 0) return undefined;
    const window =
      this.windows.find(key, now) ??
      this.windows.add(key, { hits: 0, beganAt: now, endsAt: now + seconds * 1000 });
    window.hits += 1;
    return toRateLimitStatus(this.limit, window.hits, window.endsAt - now);
  }
}
