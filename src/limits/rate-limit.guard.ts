import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import { addressOf } from '../http/client-address.js';
import { Config, type LimitName } from '../shared/config/config.js';
import { RateLimits, type RateLimitStatus } from './rate-limits.js';

/** Names the limit of a public route by address; `by_own_guard` if another guard counts. */
export const RateLimit = Reflector.createDecorator<LimitName | 'by_own_guard'>();

/**
 * Rejects a request beyond the limit of its route before its body is parsed, so malformed requests count. A public route has a limit
 * of its own by address, and the writes of an account share one.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {}

  /** @throws DomainError TOO_MANY_REQUESTS */
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { readonly user?: Principal }>();
    const name = this.reflector.get(RateLimit, context.getHandler()) ?? 'writes';
    if (name === 'by_own_guard') return true;
    const caller = name === 'writes' ? writerOf(request) : addressOf(request);
    if (caller === undefined) return true;
    const status = await this.limits.count(this.config.limits[name], caller);
    setRateLimitHeaders(http.getResponse<FastifyReply>(), status);
    return true;
  }
}

/** The account of a request that may change something. */
const writerOf = ({ method, user }: FastifyRequest & { readonly user?: Principal }) =>
  method === 'GET' || method === 'HEAD' ? undefined : user?.accountId;

/** @param status undefined if the limit is off */
export function setRateLimitHeaders(reply: FastifyReply, status?: RateLimitStatus): void {
  if (!status) return;
  reply.header('x-ratelimit-limit', status.limit);
  reply.header('x-ratelimit-remaining', status.remaining);
  reply.header('x-ratelimit-reset', status.reset);
}
