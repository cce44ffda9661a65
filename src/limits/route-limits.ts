import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type {
  ThrottlerModuleOptions,
  ThrottlerOptionsFactory,
  ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import { addressOf } from '../http/client-address.js';
import { memoizeByHandler } from '../http/memoize-by-handler.js';
import { Config, type Limit, type LimitName } from '../shared/config/config.js';
import { RateLimits } from './rate-limits.js';

/** Names the limit of a public route by address; `by_own_guard` if another guard counts. */
export const RateLimit = Reflector.createDecorator<LimitName | 'by_own_guard'>();

/** The name of the limit that a key of the throttler begins with. */
export const limitNameIn = (key: string): LimitName => key.split(' ', 1)[0] as LimitName;

/**
 * Configures the throttler: a public route has a limit of its own by address, the writes of an account share one. Its storage counts in
 * {@link RateLimits}.
 */
@Injectable()
export class RouteLimits implements ThrottlerOptionsFactory {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {}

  /** The limit of a route; undefined if there is none, or if it is off. */
  private readonly limitOf = memoizeByHandler((context): Limit | undefined => {
    const { method } = context.switchToHttp().getRequest<FastifyRequest>();
    const isRead = method === 'GET' || method === 'HEAD';
    const name =
      this.reflector.get(RateLimit, context.getHandler()) ?? (isRead ? undefined : 'writes');
    if (name === undefined || name === 'by_own_guard') return undefined;
    const limit = this.config.limits[name];
    return limit.requests > 0 ? limit : undefined;
  });

  createThrottlerOptions(): ThrottlerModuleOptions {
    return {
      throttlers: [
        {
          limit: (context) => this.limitOf(context)!.requests,
          ttl: (context) => this.limitOf(context)!.seconds * 1000,
          skipIf: (context) => this.trackerOf(context) === undefined,
        },
      ],
      getTracker: (_request, context) => this.trackerOf(context)!,
      generateKey: (context, tracker) => `${this.limitOf(context)!.name} ${tracker}`,
      storage: this.storage,
    };
  }

  private readonly storage: ThrottlerStorage = {
    increment: async (key) => {
      const name = limitNameIn(key);
      const limit = this.config.limits[name];
      const { hits, endsIn } = await this.limits.hit(limit, key.slice(name.length + 1));
      const seconds = Math.ceil(endsIn / 1000);
      const isBlocked = hits > limit.requests;
      return { totalHits: hits, timeToExpire: seconds, isBlocked, timeToBlockExpire: seconds };
    },
  };

  private trackerOf(context: ExecutionContext): string | undefined {
    const limit = this.limitOf(context);
    const request = context
      .switchToHttp()
      .getRequest<FastifyRequest & { readonly user?: Principal }>();
    if (!limit) return undefined;
    return limit.name === 'writes' ? request.user?.accountId : addressOf(request);
  }
}
