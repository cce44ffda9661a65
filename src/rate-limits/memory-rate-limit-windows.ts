import { Injectable } from '@nestjs/common';
import { MemoryWindows, type Window } from './memory-windows.js';
import {
  type NamedLimit,
  type RateLimitWindow,
  RateLimitWindows,
  type Reservation,
} from './rate-limit-windows.js';

const NONE: RateLimitWindow = { hits: 0, reserved: 0, endsIn: 0 };

/** Counts in the memory of this process. */
@Injectable()
export class MemoryRateLimitWindows extends RateLimitWindows {
  constructor(private readonly windows: MemoryWindows) {
    super();
  }

  async peek(limit: NamedLimit, key: string, now: Date): Promise<RateLimitWindow> {
    const window = this.find(limit, key, now);
    return window ? toRateLimitWindow(window, now) : NONE;
  }

  async hit(limit: NamedLimit, key: string, now: Date, value?: number): Promise<RateLimitWindow> {
    const window = this.open(limit, key, now);
    if (window.hits <= limit.requests && this.isFirst(limit, key, value, window, now)) {
      window.hits += 1;
    }
    return toRateLimitWindow(window, now);
  }

  async reserve(limit: NamedLimit, key: string, now: Date): Promise<Reservation> {
    const window = this.open(limit, key, now);
    const isFull = window.hits + window.reserved >= limit.requests;
    if (!isFull) window.reserved += 1;
    const settle = async (hasFailed: boolean, settledAt: Date) => {
      window.reserved -= 1;
      if (hasFailed) window.hits += 1;
      return settledAt.getTime() < window.endsAt ? window.hits : 0;
    };
    return { window: toRateLimitWindow(window, now), settle: isFull ? undefined : settle };
  }

  /** The open window of a key; one whose reservations all left no trace counts as none. */
  private find(limit: NamedLimit, key: string, now: Date): Window | undefined {
    const window = this.windows.find(limit, key, now.getTime());
    return window && window.hits + window.reserved > 0 ? window : undefined;
  }

  private open(limit: NamedLimit, key: string, now: Date): Window {
    return this.find(limit, key, now) ?? this.windows.begin(limit, key, now.getTime());
  }

  /** Whether a value has not been counted in a window. A counted one has a window of its own that ends with it. */
  private isFirst(
    limit: NamedLimit,
    key: string,
    value: number | undefined,
    { endsAt }: Window,
    now: Date,
  ): boolean {
    if (value === undefined) return true;
    const ofValue = `${key}\n${value}`;
    if (this.windows.find(limit, ofValue, now.getTime())?.endsAt === endsAt) return false;
    this.windows.begin(limit, ofValue, now.getTime(), endsAt);
    return true;
  }
}

const toRateLimitWindow = ({ hits, reserved, endsAt }: Window, now: Date): RateLimitWindow => ({
  hits,
  reserved,
  endsIn: endsAt - now.getTime(),
});
