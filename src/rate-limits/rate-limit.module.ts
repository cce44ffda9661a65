import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerStorage } from '@nestjs/throttler';
import { type RateLimitName, RateLimitWindows } from './rate-limit-windows.js';
import { Clock } from '../shared/time/clock.js';
import { THROTTLER } from './rate-limit.guard.js';
import { toSeconds } from './rate-limit-status.js';

/**
 * The throttler, whose hits are counted in the windows of the store. Unlike in the library's own storage, a rejected request
 * neither counts nor lengthens the window.
 */
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [RateLimitWindows, Clock],
      useFactory: (windows: RateLimitWindows, clock: Clock) => ({
        storage: storageOf(windows, clock),
        throttlers: [THROTTLER],
      }),
    }),
  ],
})
export class RateLimitModule {}

const storageOf = (windows: RateLimitWindows, clock: Clock): ThrottlerStorage => ({
  async increment(nameAndKey, ttl, requests) {
    const [name, key] = nameAndKey.split(' ') as [RateLimitName, string];
    const limit = { name, requests, seconds: ttl / 1000 };
    const { hits, endsIn } = await windows.hit(limit, key, clock.now());
    const [totalHits, seconds] = [Math.min(hits, requests), toSeconds(endsIn)];
    return {
      totalHits,
      isBlocked: hits > requests,
      timeToExpire: seconds,
      timeToBlockExpire: seconds,
    };
  },
});
