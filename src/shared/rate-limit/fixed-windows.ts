import { LRUCache } from 'lru-cache';
import { maxEntries } from '../bounded-cache.js';

/** Maximum of keys (addresses, accounts) that a limit keeps; then the least recently used is dropped. */
export const REMEMBERED = 200_000;

/** A window; times are in milliseconds. */
export interface FixedWindow {
  hits: number;
  readonly beganAt: number;
  readonly endsAt: number;
}

/** Fixed windows in memory that begin with a key's first hit; the number of keys is bounded. */
export class FixedWindows<Window extends FixedWindow = FixedWindow> {
  private readonly windows = new LRUCache<string, Window>(maxEntries(REMEMBERED));

  /** The open window of a key. One that begins in the future is from before the clock was set back. */
  find(key: string, now: number): Window | undefined {
    const window = this.windows.get(key);
    return window && window.beganAt <= now && now < window.endsAt ? window : undefined;
  }

  add(key: string, window: Window): Window {
    this.windows.set(key, window);
    return window;
  }
}
