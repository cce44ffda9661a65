import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Clock } from '../shared/time/clock.js';
import type { NamedLimit, RateLimitName } from './rate-limit-windows.js';

/** Bytes that the windows of all limits may take together. */
export const WINDOWS_BUDGET = 32_000_000;

/** Bytes of memory for each window, without the characters of its key. Measured with 125,000 to 524,000 windows in a Map. */
const WINDOW_BYTES = 140;

/** Windows that are dropped at a time where the budget is used up: one at a time, each would pass over the ones before. */
const EVICTION_SIZE = 1_000;

/** Milliseconds between two sweeps, and the windows that a sweep drops of each limit: a few milliseconds of the event loop. */
const SWEEP_INTERVAL = 1_000;
const SWEEP_SIZE = 5_000;

/** The hits of a key in a fixed window. */
export interface Window {
  hits: number;
  /** Attempts in progress. */
  reserved: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * The windows of all limits that are counted in this process. Ended ones are dropped by a sweep. Beyond their budget, the oldest
 * of the limit with the most windows are dropped: a flood of addresses at one limit resets no other.
 */
@Injectable()
export class MemoryWindows implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The windows of each limit in the order in which they began, so nearly in that in which they end. */
  private readonly byLimit = new Map<RateLimitName, Map<string, Window>>();
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly clock: Clock) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.sweep(), SWEEP_INTERVAL).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The number of windows. */
  get size(): number {
    return [...this.byLimit.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** The open window of a key. One that ends later than a new one is from before the clock was set back. */
  find({ name, seconds }: NamedLimit, key: string, now: number): Window | undefined {
    const window = this.byLimit.get(name)?.get(key);
    if (!window || window.endsAt <= now) return undefined;
    return window.endsAt <= now + seconds * 1000 ? window : undefined;
  }

  /** Begins a new window for a key, which replaces its last one. */
  begin(
    { name, seconds }: NamedLimit,
    key: string,
    now: number,
    endsAt = now + seconds * 1000,
  ): Window {
    let windows = this.byLimit.get(name);
    if (!windows) this.byLimit.set(name, (windows = new Map<string, Window>()));
    // Deleted first, as the order is that of insertion.
    if (windows.delete(key)) this.bytes -= bytesOf(key);
    if (this.bytes >= WINDOWS_BUDGET) this.evict();
    const window = { hits: 0, reserved: 0, endsAt };
    windows.set(copyOf(key), window);
    this.bytes += bytesOf(key);
    return window;
  }

  /** Drops windows that have ended, a bounded number at a time. */
  sweep(): void {
    const now = this.clock.now().getTime();
    for (const windows of this.byLimit.values()) {
      this.dropOldest(windows, SWEEP_SIZE, ({ endsAt }) => endsAt <= now);
    }
  }

  private evict(): void {
    const [largest] = [...this.byLimit.values()].sort((a, b) => b.size - a.size);
    this.dropOldest(largest!, EVICTION_SIZE, () => true);
  }

  private dropOldest(
    windows: Map<string, Window>,
    most: number,
    isDropped: (window: Window) => boolean,
  ): void {
    let left = most;
    for (const [key, window] of windows) {
      if (left-- === 0 || !isDropped(window)) return;
      windows.delete(key);
      this.bytes -= bytesOf(key);
    }
  }
}

const bytesOf = (key: string): number => WINDOW_BYTES + 2 * key.length;

/** V8 keeps the whole X-Forwarded-For of an address that is a part of it, unless the address is copied. */
const copyOf = (key: string) => JSON.parse(JSON.stringify(key)) as string;
