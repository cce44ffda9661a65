import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import {
  type RateLimitName,
  RateLimitWindows,
} from '../../shared/rate-limit/rate-limit-windows.js';
import { Clock } from '../../shared/time/clock.js';
import { toSeconds } from './rate-limit-status.js';

/** The throttler's key: the name of the limit that a route declares, and the address. */
export const toThrottlerKey = (name: RateLimitName, address: string) => `${name} ${address}`;

/**
 * Counts the requests of each limit in the windows of the store. Unlike in the library's own storage, a rejected request
 * neither counts nor lengthens the window.
 */
@Injectable()
export class WindowsThrottlerStorage implements ThrottlerStorage {
  constructor(
    private readonly windows: RateLimitWindows,
    private readonly clock: Clock,
  ) {}

  async increment(key: string, ttl: number, limit: number) {
    const [name, address] = key.split(' ') as [RateLimitName, string];
    const counted = { name, requests: limit, seconds: ttl / 1000 };
    const { hits, endsIn } = await this.windows.hit(counted, address, this.clock.now());
    // The library counts hits in requests and times in seconds.
    const seconds = toSeconds(endsIn);
    const isBlocked = hits > limit;
    return {
      totalHits: Math.min(hits, limit),
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    };
  }
}
