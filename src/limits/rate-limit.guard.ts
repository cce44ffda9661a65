import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerOptionsFactory,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import { addressOf } from '../http/client-address.js';
import { Config, type Limit, type LimitName } from '../shared/config/config.js';
import { RateLimits, type RateLimitStatus, tooManyRequests } from './rate-limits.js';

/** Names a public route's limit by address; `by_own_guard` if another guard counts. */
export const RateLimit = Reflector.createDecorator<LimitName | 'by_own_guard'>();

/** The limit name at the start of a throttler key. */
const limitNameIn = (key: string): LimitName => key.split(' ', 1)[0] as LimitName;

/**
 * Configures the throttler: each public route has its own limit by address, and all writes of an account share one. The throttler
 * counts in {@link RateLimits}, shared by all instances.
 */
@Injectable()
export class RouteLimits implements ThrottlerOptionsFactory {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {}

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

  /** The limit of a route; undefined if it has none here or the limit is off. */
  private limitOf(context: ExecutionContext): Limit | undefined {
    const name = this.reflector.get(RateLimit, context.getHandler()) ?? 'writes';
    const limit = name === 'by_own_guard' ? undefined : this.config.limits[name];
    return limit?.requests === 0 ? undefined : limit;
  }

  /** The address or, for authenticated writes, the account. */
  private trackerOf(context: ExecutionContext): string | undefined {
    const limit = this.limitOf(context);
    const request = context
      .switchToHttp()
      .getRequest<FastifyRequest & { readonly user?: Principal }>();
    if (limit?.name !== 'writes') return limit && addressOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead ? undefined : request.user?.accountId;
  }
}

/** Rejects a request over its route's limit before parsing the body, so malformed requests count. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  /** @throws DomainError TOO_MANY_REQUESTS */
  protected override throwThrottlingException(
    _context: ExecutionContext,
    { key, limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): never {
    throw tooManyRequests({ name: limitNameIn(key), requests: limit }, timeToBlockExpire);
  }
}

/** @param status undefined if the limit is off */
export function setRateLimitHeaders(reply: FastifyReply, status?: RateLimitStatus): void {
  if (!status) return;
  reply.header('x-ratelimit-limit', status.limit);
  reply.header('x-ratelimit-remaining', status.remaining);
  reply.header('x-ratelimit-reset', status.reset);
}
