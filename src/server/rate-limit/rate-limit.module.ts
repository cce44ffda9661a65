import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { RateLimitWindows } from '../../shared/rate-limit/rate-limit-windows.js';
import { Clock } from '../../shared/time/clock.js';
import { RouteLimits } from './route-limits.js';
import { toThrottlerKey, WindowsThrottlerStorage } from './windows-throttler.storage.js';

@Module({ providers: [RouteLimits], exports: [RouteLimits] })
class RouteLimitsModule {}

/** The throttler. Routes that declare the same limit share it. */
@Module({
  imports: [
    RouteLimitsModule,
    ThrottlerModule.forRootAsync({
      imports: [RouteLimitsModule],
      inject: [RouteLimits, RateLimitWindows, Clock],
      useFactory: (limits: RouteLimits, windows: RateLimitWindows, clock: Clock) => ({
        storage: new WindowsThrottlerStorage(windows, clock),
        throttlers: [
          {
            limit: (context) => limits.of(context)!.requests,
            ttl: (context) => limits.of(context)!.seconds * 1000,
            generateKey: (context, address) => toThrottlerKey(limits.of(context)!.name, address),
          },
        ],
      }),
    }),
  ],
  exports: [RouteLimitsModule],
})
export class RateLimitModule {}
