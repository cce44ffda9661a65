import type { Limit } from '../../shared/config/config.js';
import type { Clock } from '../../shared/time/clock.js';
import { FixedWindows, toSeconds } from '../../server/rate-limit/fixed-windows.js';
import type { RateLimitStatus } from '../../server/rate-limit/rate-limit-status.js';

/** Limits the failed attempts of each key; a limit of 0 requests is off. */
export class FailureLimit {
  private readonly windows = new FixedWindows();
  /** Attempts in progress by key. They are counted as failures until they succeed. */
  private readonly inProgress = new Map<string, number>();

  constructor(
    private readonly limit: Limit,
    private readonly clock: Clock,
  ) {}

  /** Seconds until a key may try again; 0 if it may now. */
  waitFor(key: string): number {
    const { requests } = this.limit;
    const { hits, endsIn } = this.windows.look(key, this.now());
    if (requests === 0 || hits < requests) return 0;
    // Where attempts in progress fill the limit, the next is possible as soon as one of them succeeds.
    return this.failures(key) < requests ? 1 : toSeconds(endsIn);
  }

  /** Undefined where the limit is off. */
  status(key: string): RateLimitStatus | undefined {
    const { requests: limit } = this.limit;
    if (limit === 0) return undefined;
    const { hits, endsIn } = this.windows.look(key, this.now());
    return { limit, remaining: Math.max(0, limit - hits), reset: toSeconds(endsIn) };
  }

  /**
   * Counts an attempt as a failure before it is made.
   *
   * @returns a function to be called with the outcome: it uncounts a success, and returns whether this
   *   failure has reached the limit
   */
  reserve(key: string): (hasFailed: boolean) => boolean {
    if (this.limit.requests === 0) return () => false;
    const start = this.now();
    const { endsIn } = this.windows.hit(key, this.limit.seconds * 1000, start);
    this.inProgress.set(key, (this.inProgress.get(key) ?? 0) + 1);
    return (hasFailed) => {
      this.close(key);
      // The window in which the attempt was counted is over.
      if (this.now() >= start + endsIn) return false;
      if (!hasFailed) this.windows.undo(key, this.now());
      return hasFailed && this.failures(key) === this.limit.requests;
    };
  }

  /** Failed attempts of the current window, without those in progress. */
  private failures(key: string): number {
    return this.windows.look(key, this.now()).hits - (this.inProgress.get(key) ?? 0);
  }

  private close(key: string): void {
    const others = (this.inProgress.get(key) ?? 1) - 1;
    if (others > 0) this.inProgress.set(key, others);
    else this.inProgress.delete(key);
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
