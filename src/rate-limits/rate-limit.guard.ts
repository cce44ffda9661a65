import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import { Config } from '../shared/config/config.js';
import { MemoryWindows, type Window } from './memory-windows.js';
import { type NamedLimit, namedLimit } from './rate-limit-windows.js';
import { Clock } from '../shared/time/clock.js';
import { addressOf } from '../server/client-address.js';
import { memoizeByHandler } from '../server/memoize-by-handler.js';
import * as status from './rate-limit-status.js';
import { isWrite, RateLimit, type RateLimitKey } from './route-limits.js';

type RouteLimit = NamedLimit & { readonly by: RateLimitKey };

/** The library's throttler. Its numbers are not used, as each route has its own. */
export const THROTTLER = { name: 'default', limit: 0, ttl: 0 };

/** Nest takes a boolean without waiting. The library's type has promises alone. */
const ALLOWED = true as unknown as Promise<boolean>;

const ADDRESS: RateLimitKey = { of: addressOf };
const ACCOUNT: RateLimitKey = {
  of: ({ user }: FastifyRequest & { readonly user?: Principal }) => user?.accountId,
};

/**
 * Rejects requests beyond the limits of their route, or writes beyond that of their account, and sets the X-RateLimit headers.
 * It runs before the body is validated, so malformed requests count.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  @Inject(Config) private readonly config!: Config;
  @Inject(MemoryWindows) private readonly windows!: MemoryWindows;
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(ModuleRef) private readonly modules!: ModuleRef;

  /** The limits of a route that are not off. */
  private readonly limitsOf = memoizeByHandler((context) => {
    const { method } = context.switchToHttp().getRequest<FastifyRequest>();
    const declared =
      this.reflector.get(RateLimit, context.getHandler()) ?? (isWrite(method) ? 'writes' : []);
    const isShared = typeof declared === 'string';
    const limits = (isShared ? [{ name: declared, by: undefined }] : declared).map(
      ({ name, by }): RouteLimit => ({
        ...namedLimit(this.config, name),
        by: by ? this.modules.get(by, { strict: false }) : name === 'writes' ? ACCOUNT : ADDRESS,
      }),
    );
    return { isShared, limits: limits.filter(({ requests }) => requests > 0) };
  });

  override canActivate(context: ExecutionContext): Promise<boolean> {
    const { isShared, limits } = this.limitsOf(context);
    const [limit] = limits;
    if (!limit) return ALLOWED;
    const { req, res } = this.getRequestResponse(context);
    if (!isShared) return this.countInProcess(limits, req as FastifyRequest, res as FastifyReply);
    const key = limit.by.of(req as FastifyRequest);
    if (key === undefined) return ALLOWED;
    return this.handleRequest({
      context,
      throttler: THROTTLER,
      limit: limit.requests,
      ttl: limit.seconds * 1000,
      blockDuration: 0,
      getTracker: () => key,
      generateKey: () => `${limit.name} ${key}`,
    });
  }

  protected override throwThrottlingException(
    context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): never {
    throw status.tooManyRequests(this.limitsOf(context).limits[0]!, timeToBlockExpire * 1000);
  }

  /** @throws DomainError TOO_MANY_REQUESTS where a limit is reached; then none of them counts the request */
  private countInProcess(limits: RouteLimit[], request: FastifyRequest, reply: FastifyReply) {
    const now = this.clock.now().getTime();
    const counted: Window[] = [];
    let nearest: status.RateLimitStatus | undefined;
    for (const limit of limits) {
      const key = limit.by.of(request);
      if (key === undefined) continue;
      const window = this.windows.find(limit, key, now) ?? this.windows.begin(limit, key, now);
      const endsIn = window.endsAt - now;
      if (window.hits >= limit.requests) {
        for (const other of counted) other.hits -= 1;
        throw status.tooManyRequests(limit, endsIn);
      }
      window.hits += 1;
      counted.push(window);
      const ofLimit = status.toRateLimitStatus(limit, window.hits, endsIn);
      if (!nearest || ofLimit.remaining < nearest.remaining) nearest = ofLimit;
    }
    if (nearest) status.setRateLimitHeaders(reply, nearest);
    return ALLOWED;
  }
}
