import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Limit, LimitName } from '../shared/config/config.js';
import { Clock } from '../shared/time/clock.js';
import { RateLimits, type Window } from './rate-limits.js';

/** Maximum number of windows per limit: about 4 MB, at 155 bytes per IPv4 address. */
export const MAX_WINDOWS = 25_000;

interface OpenWindow {
  hits: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * Counts in the memory of this process. A flood of addresses drops only windows of its own limit, the least
 * recently hit first.
 */
@Injectable()
export class MemoryRateLimits extends RateLimits {
  private readonly byLimit = new Map<LimitName, LRUCache<string, OpenWindow>>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async hit(limit: Limit, key: string, cost?: 0 | 1): Promise<Window> {
    return this.hitSync(limit, key, cost);
  }

  /** Synchronous {@link hit}. */
  hitSync(limit: Limit, key: string, cost = 1): Window {
    const now = this.clock.now().getTime();
    const latestEnd = now + limit.seconds * 1000;
    const last = this.byLimit.get(limit.name)?.get(key);
    // A window that ends later than a new one dates from before the clock was set back.
    const isOpen = last && now < last.endsAt && last.endsAt <= latestEnd;
    if (!isOpen && cost === 0) return { hits: 0, endsIn: 0 };
    const window = isOpen ? last : this.open(limit, key, latestEnd);
    window.hits = Math.min(window.hits + cost, limit.requests + 1);
    return { hits: window.hits, endsIn: window.endsAt - now };
  }

  /** Replaces the window of a key with one counted elsewhere. */
  set(limit: Limit, key: string, { hits, endsIn }: Window): void {
    this.open(limit, key, this.clock.now().getTime() + endsIn).hits = hits;
  }

  private open({ name }: Limit, key: string, endsAt: number): OpenWindow {
    const windows = this.byLimit.get(name) ?? new LRUCache({ max: MAX_WINDOWS });
    this.byLimit.set(name, windows);
    const window = { hits: 0, endsAt };
    windows.set(copyOf(key), window);
    return window;
  }
}

/** Copies the address, because a substring would keep the whole X-Forwarded-For header in memory (V8). */
const copyOf = (key: string) => JSON.parse(JSON.stringify(key)) as string;
