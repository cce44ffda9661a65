import { type ExecutionContext, Module } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { Config, type Limit, type Limits } from '../../config/config.js';
import { Clock } from '../../time/clock.js';
import { MemoryThrottlerStorage } from './memory-throttler.storage.js';
import { RateLimit } from './rate-limit.decorator.js';

const NO_LIMIT: Limit = { requests: 0, seconds: 0 };

/** The throttler: a route is held to the limit that it names, and every route of that name shares it. */
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [Config, Clock, Reflector],
      useFactory: (config: Config, clock: Clock, reflector: Reflector) => {
        const nameOf = (context: ExecutionContext): keyof Limits | undefined =>
          reflector.get(RateLimit, context.getHandler());
        const limitOf = (context: ExecutionContext) => {
          const name = nameOf(context);
          return name ? config.limits[name] : NO_LIMIT;
        };
        return {
          storage: new MemoryThrottlerStorage(clock),
          throttlers: [
            {
              skipIf: (context) => limitOf(context).requests === 0,
              limit: (context) => limitOf(context).requests,
              ttl: (context) => limitOf(context).seconds * 1000,
              generateKey: (context, address) => `${nameOf(context)} ${address}`,
            },
          ],
        };
      },
    }),
  ],
})
export class RateLimitModule {}
