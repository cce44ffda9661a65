import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../../shared/time/clock.js';
import { FixedWindows, toSeconds } from './fixed-windows.js';

/**
 * Counts the requests of each limit in memory. Unlike the library's own storage it is bounded, and
 * a rejected request neither counts nor lengthens the window.
 */
@Injectable()
export class MemoryThrottlerStorage implements ThrottlerStorage {
  private readonly windows = new FixedWindows();

  constructor(private readonly clock: Clock) {}

  increment(key: string, ttl: number, limit: number) {
    const now = this.clock.now().getTime();
    const wait = this.windows.waitFor(key, limit, now);
    if (wait > 0) return Promise.resolve(record(limit, wait, true));
    const { hits, endsIn } = this.windows.hit(key, ttl, now);
    return Promise.resolve(record(hits, endsIn, false));
  }
}

/** The library counts hits in requests and times in seconds. */
function record(totalHits: number, milliseconds: number, isBlocked: boolean) {
  const seconds = toSeconds(milliseconds);
  return {
    totalHits,
    timeToExpire: seconds,
    isBlocked,
    timeToBlockExpire: isBlocked ? seconds : 0,
  };
}
