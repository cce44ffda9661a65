import { FixedWindows, type FixedWindow } from './fixed-windows.js';
import {
  type NamedLimit,
  type RateLimitName,
  type RateLimitWindow,
  RateLimitWindows,
  type Reservation,
} from './rate-limit-windows.js';

interface Window extends FixedWindow {
  reserved: number;
  readonly values: number[];
}

const NONE: RateLimitWindow = { hits: 0, reserved: 0, endsIn: 0 };

export class MemoryRateLimitWindows extends RateLimitWindows {
  private readonly windows = new Map<RateLimitName, FixedWindows<Window>>();

  async peek(limit: NamedLimit, key: string, now: Date): Promise<RateLimitWindow> {
    const window = this.find(limit, key, now);
    return window ? toRateLimitWindow(window, now) : NONE;
  }

  async hit(limit: NamedLimit, key: string, now: Date, value?: number): Promise<RateLimitWindow> {
    const window = this.open(limit, key, now);
    const isKnown = value !== undefined && window.values.includes(value);
    if (!isKnown && window.hits <= limit.requests) {
      window.hits += 1;
      if (value !== undefined) window.values.push(value);
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
    const window = this.of(limit).find(key, now.getTime());
    return window && window.hits + window.reserved > 0 ? window : undefined;
  }

  private open(limit: NamedLimit, key: string, now: Date): Window {
    const open = this.find(limit, key, now);
    if (open) return open;
    const beganAt = now.getTime();
    const endsAt = beganAt + limit.seconds * 1000;
    return this.of(limit).add(key, { hits: 0, reserved: 0, values: [], beganAt, endsAt });
  }

  private of({ name }: NamedLimit): FixedWindows<Window> {
    const windows = this.windows.get(name) ?? new FixedWindows<Window>();
    this.windows.set(name, windows);
    return windows;
  }
}

const toRateLimitWindow = ({ hits, reserved, endsAt }: Window, now: Date): RateLimitWindow => ({
  hits,
  reserved,
  endsIn: endsAt - now.getTime(),
});
