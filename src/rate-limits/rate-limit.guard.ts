import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import { addressOf } from '../server/client-address.js';
import { memoizeByHandler } from '../server/memoize-by-handler.js';
import { Config, type Limit, type LimitName } from '../shared/config/config.js';
import { setRateLimitHeaders } from './headers.js';
import { RateLimits } from './rate-limits.js';

/** Names the limit of a public route by address; `by_own_guard` if a guard of the route counts. */
export const RateLimit = Reflector.createDecorator<LimitName | 'by_own_guard'>();

/**
 * Counts requests of public routes by address and writes by account, and sets the X-RateLimit headers. It runs before the body is
 * validated, so malformed requests count.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {}

  private readonly limitOf = memoizeByHandler((context): Limit | undefined => {
    const { method } = context.switchToHttp().getRequest<FastifyRequest>();
    const isRead = method === 'GET' || method === 'HEAD';
    const name =
      this.reflector.get(RateLimit, context.getHandler()) ?? (isRead ? undefined : 'writes');
    return name === undefined || name === 'by_own_guard' ? undefined : this.config.limits[name];
  });

  /** @throws DomainError TOO_MANY_REQUESTS */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const limit = this.limitOf(context);
    if (!limit) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { readonly user?: Principal }>();
    const key = limit.name === 'writes' ? request.user?.accountId : addressOf(request);
    return key === undefined || this.count(limit, key, http.getResponse<FastifyReply>());
  }

  private async count(limit: Limit, key: string, reply: FastifyReply): Promise<true> {
    const status = await this.limits.count(limit, key);
    if (status) setRateLimitHeaders(reply, status);
    return true;
  }
}
