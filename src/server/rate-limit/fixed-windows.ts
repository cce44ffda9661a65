import { LRUCache } from 'lru-cache';
import { maxEntries } from '../../shared/bounded-cache.js';

/** Maximum of keys (addresses, accounts) that a limit keeps; then the least recently used is dropped. */
export const REMEMBERED = 200_000;

interface Window {
  hits: number;
  readonly beganAt: number;
  readonly endsAt: number;
}

/** Counts hits in fixed windows that begin with a key's first hit; the number of keys is bounded. */
export class FixedWindows {
  private readonly windows = new LRUCache<string, Window>(maxEntries(REMEMBERED));

  /** Milliseconds until a full window ends; 0 where there is room for one more hit. */
  waitFor(key: string, limit: number, now: number): number {
    const window = this.current(key, now);
    return window && window.hits >= limit ? window.endsAt - now : 0;
  }

  /** Counts one hit, in a new window of `length` milliseconds if none is open. */
  hit(key: string, length: number, now: number): { hits: number; endsIn: number } {
    let window = this.current(key, now);
    if (!window) {
      window = { hits: 0, beganAt: now, endsAt: now + length };
      this.windows.set(key, window);
    }
    window.hits += 1;
    return { hits: window.hits, endsIn: window.endsAt - now };
  }

  /** The hits of the open window, and the milliseconds until it ends; zeros where none is open. */
  look(key: string, now: number): { hits: number; endsIn: number } {
    const window = this.current(key, now);
    return window ? { hits: window.hits, endsIn: window.endsAt - now } : { hits: 0, endsIn: 0 };
  }

  /** Takes back one hit of the open window, and forgets a window that has none left. */
  undo(key: string, now: number): void {
    const window = this.current(key, now);
    if (!window) return;
    window.hits -= 1;
    if (window.hits <= 0) this.windows.delete(key);
  }

  private current(key: string, now: number): Window | undefined {
    const window = this.windows.get(key);
    return window && isOpen(window, now) ? window : undefined;
  }
}

/** Whole seconds, as headers count them. */
export const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/** Whether a window is open; one that begins in the future is from before the clock was set back. */
export function isOpen(window: { beganAt: number; endsAt: number }, now: number): boolean {
  return window.beganAt <= now && now < window.endsAt;
}
