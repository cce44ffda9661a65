import type { Limit } from '../../config/config.js';
import type { Clock } from '../../time/clock.js';
import { FixedWindows } from './fixed-windows.js';

/** How a key stands towards a limit. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends; 0 where none is open. */
  readonly reset: number;
}

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
    return this.isFilledByOpen(key) ? 1 : seconds(endsIn);
  }

  /** Whether it takes the open attempts of a key to fill its limit. */
  isFilledByOpen(key: string): boolean {
    const { requests } = this.limit;
    const { hits } = this.windows.look(key, this.now());
    return requests > 0 && hits >= requests && hits - (this.open.get(key) ?? 0) < requests;
  }

  /** Undefined where there is no limit. */
  standing(key: string): Standing | undefined {
    const { requests: limit } = this.limit;
    if (limit === 0) return undefined;
    const { hits, endsIn } = this.windows.look(key, this.now());
    return { limit, remaining: Math.max(0, limit - hits), reset: seconds(endsIn) };
  }

  /** Counts an attempt as failed; returns a function to be told the outcome, which reverts the count of a success. */
  claim(key: string): (hasFailed: boolean) => void {
    if (this.limit.requests === 0) return () => undefined;
    const start = this.now();
    const { endsIn } = this.windows.hit(key, this.limit.seconds * 1000, start);
    this.open.set(key, (this.open.get(key) ?? 0) + 1);
    return (hasFailed) => {
      this.close(key);
      // After the window that it was counted in, there is nothing to take back.
      if (!hasFailed && this.now() < start + endsIn) this.windows.undo(key, this.now());
    };
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
