import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { Clock } from '../../shared/time/clock.js';
import { MemoryThrottlerStorage } from './memory-throttler.storage.js';
import { RouteLimits } from './route-limits.js';

@Module({ providers: [RouteLimits], exports: [RouteLimits] })
class RouteLimitsModule {}

/** The throttler. Routes that declare the same limit share it. */
@Module({
  imports: [
    RouteLimitsModule,
    ThrottlerModule.forRootAsync({
      imports: [RouteLimitsModule],
      inject: [RouteLimits, Clock],
      useFactory: (limits: RouteLimits, clock: Clock) => ({
        storage: new MemoryThrottlerStorage(clock),
        throttlers: [
          {
            limit: (context) => limits.of(context)!.requests,
            ttl: (context) => limits.of(context)!.seconds * 1000,
            generateKey: (context, address) => `${limits.of(context)!.name} ${address}`,
          },
        ],
      }),
    }),
  ],
  exports: [RouteLimitsModule],
})
export class RateLimitModule {}
