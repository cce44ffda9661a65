import type { Limit } from '../../shared/config/config.js';
import type { Clock } from '../../shared/time/clock.js';
import { FixedWindows } from '../../server/rate-limit/fixed-windows.js';
import type { RateLimitStatus } from '../../server/rate-limit/rate-limit-status.js';

/** Holds the failures of each key to a limit; 0 requests is no limit. */
export class FailureLimit {
  private readonly windows = new FixedWindows();
  /** Of the counted failures of a key, how many are attempts whose outcome is still open. */
  private readonly open = new Map<string, number>();

  constructor(
    private readonly limit: Limit,
    private readonly clock: Clock,
  ) {}

  /** Seconds until a key may try again; 0 where it may now. */
  waitFor(key: string): number {
    const { requests } = this.limit;
    const { hits, endsIn } = this.windows.look(key, this.now());
    if (requests === 0 || hits < requests) return 0;
    // Where open attempts fill the limit, there is room again as soon as one of them succeeds.
    return this.failures(key) < requests ? 1 : seconds(endsIn);
  }

  /** Undefined where there is no limit. */
  status(key: string): RateLimitStatus | undefined {
    const { requests: limit } = this.limit;
    if (limit === 0) return undefined;
    const { hits, endsIn } = this.windows.look(key, this.now());
    return { limit, remaining: Math.max(0, limit - hits), reset: seconds(endsIn) };
  }

  /**
   * Counts an attempt as failed.
   *
   * @returns a function that takes the outcome: it reverts the count of a success, and returns whether
   *   this failure is the one that reached the limit
   */
  reserve(key: string): (hasFailed: boolean) => boolean {
    if (this.limit.requests === 0) return () => false;
    const start = this.now();
    const { endsIn } = this.windows.hit(key, this.limit.seconds * 1000, start);
    this.open.set(key, (this.open.get(key) ?? 0) + 1);
    return (hasFailed) => {
      this.close(key);
      // After the window that it was counted in, there is nothing to take back.
      if (this.now() >= start + endsIn) return false;
      if (!hasFailed) this.windows.undo(key, this.now());
      return hasFailed && this.failures(key) === this.limit.requests;
    };
  }

  /** Attempts of the open window that have failed. */
  private failures(key: string): number {
    return this.windows.look(key, this.now()).hits - (this.open.get(key) ?? 0);
  }

  private close(key: string): void {
    const others = (this.open.get(key) ?? 1) - 1;
    if (others > 0) this.open.set(key, others);
    else this.open.delete(key);
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

const seconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);
