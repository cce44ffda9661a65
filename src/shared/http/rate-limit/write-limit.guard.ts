import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../config/config.js';
import { DomainError } from '../../errors/domain-error.js';
import { Clock } from '../../time/clock.js';
import type { Principal } from '../principal.js';
import { MemoryThrottlerStorage } from './memory-throttler.storage.js';

/** Whether requests of a method change something. */
export const isWrite = (method: string): boolean => !['GET', 'HEAD'].includes(method);

/**
 * Limits the requests of an account that change something, from whatever addresses. It runs after
 * authentication, and sets the headers of RateLimitGuard.
 */
@Injectable()
export class WriteLimitGuard implements CanActivate {
  private readonly requests: MemoryThrottlerStorage;

  constructor(
    private readonly config: Config,
    clock: Clock,
  ) {
    this.requests = new MemoryThrottlerStorage(clock);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { method, user } = http.getRequest<FastifyRequest & { user?: Principal }>();
    const { requests: limit, seconds } = this.config.limits.writes;
    if (limit === 0 || !user || !isWrite(method)) return true;

    const count = await this.requests.increment(user._id, seconds * 1000, limit);
    http
      .getResponse<FastifyReply>()
      .header('X-RateLimit-Limit', limit)
      .header('X-RateLimit-Remaining', Math.max(0, limit - count.totalHits))
      .header('X-RateLimit-Reset', count.timeToExpire);
    if (!count.isBlocked) return true;
    throw new DomainError('TOO_MANY_REQUESTS', {}, { retryAfter: count.timeToBlockExpire });
  }
}
