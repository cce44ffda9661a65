import { Injectable } from '@nestjs/common';
import type { Limit, LimitName } from '../shared/config/config.js';
import { Clock } from '../shared/time/clock.js';
import { RateLimits, type Window } from './rate-limits.js';

/** Maximum number of windows across all limits: about 25 MB, at 155 bytes per IPv4 address. */
export const MAX_WINDOWS = 150_000;

/**
 * Windows dropped together at the maximum, because dropping one at a time would iterate over the deleted
 * ones each time.
 */
const EVICTION_SIZE = 1_000;

interface OpenWindow {
  hits: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * Counts in the memory of this process. At the maximum, drops the oldest windows of the limit that has the
 * most, so a flood of addresses at one limit resets no other limit.
 */
@Injectable()
export class MemoryRateLimits extends RateLimits {
  /** The windows of each limit in the order they started, which is nearly the order in which they end. */
  private readonly byLimit = new Map<LimitName, Map<string, OpenWindow>>();

  constructor(private readonly clock: Clock) {
    super();
  }

  /** The number of windows, including ended ones not yet dropped. */
  get size(): number {
    return [...this.byLimit.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async hit(limit: Limit, key: string, cost?: 0 | 1): Promise<Window> {
    return this.hitSync(limit, key, cost);
  }

  /** Synchronous {@link hit}. */
  hitSync(limit: Limit, key: string, cost = 1): Window {
    const now = this.clock.now().getTime();
    const open = this.find(limit, key, now);
    if (!open && cost === 0) return { hits: 0, endsIn: 0 };
    const window = open ?? this.open(limit, key, limit.seconds * 1000);
    window.hits = Math.min(window.hits + cost, limit.requests + 1);
    return { hits: window.hits, endsIn: window.endsAt - now };
  }

  /** Replaces the window of a key with one counted elsewhere. */
  set(limit: Limit, key: string, { hits, endsIn }: Window): void {
    this.open(limit, key, endsIn).hits = hits;
  }

  /** A window that ends later than a new one dates from before the clock was set back. */
  private find({ name, seconds }: Limit, key: string, now: number): OpenWindow | undefined {
    const window = this.byLimit.get(name)?.get(key);
    return window && now < window.endsAt && window.endsAt <= now + seconds * 1000
      ? window
      : undefined;
  }

  private open({ name }: Limit, key: string, endsIn: number): OpenWindow {
    const now = this.clock.now().getTime();
    let windows = this.byLimit.get(name);
    if (!windows) this.byLimit.set(name, (windows = new Map<string, OpenWindow>()));
    // Drops more than one per new window, so the number of ended windows shrinks.
    dropOldest(windows, 2, ({ endsAt }) => endsAt <= now);
    if (this.size >= MAX_WINDOWS) this.evict();
    const window = { hits: 0, endsAt: now + endsIn };
    // Deleted first to move it to the end of the insertion order.
    windows.delete(key);
    windows.set(copyOf(key), window);
    return window;
  }

  private evict(): void {
    const [largest] = [...this.byLimit.values()].sort((a, b) => b.size - a.size);
    dropOldest(largest!, EVICTION_SIZE, () => true);
  }
}

function dropOldest(
  windows: Map<string, OpenWindow>,
  most: number,
  isDropped: (window: OpenWindow) => boolean,
): void {
  let left = most;
  for (const [key, window] of windows) {
    if (left-- === 0 || !isDropped(window)) return;
    windows.delete(key);
  }
}

/** Copies the address, because a substring would keep the whole X-Forwarded-For header in memory (V8). */
const copyOf = (key: string) => JSON.parse(JSON.stringify(key)) as string;
