import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.js';
import { Config } from '../../shared/config/config.js';
import { namedLimit, RateLimitWindows } from '../../shared/rate-limit/rate-limit-windows.js';
import { Clock } from '../../shared/time/clock.js';
import { setRateLimitHeaders, tooManyRequests, toRateLimitStatus } from './rate-limit-status.js';

/** Whether requests of a method change something. */
export const isWrite = (method: string): boolean => !['GET', 'HEAD'].includes(method);

/** Limits the writes of an account. It runs after authentication, and sets the headers of RateLimitGuard. */
@Injectable()
export class WriteLimitGuard implements CanActivate {
  private readonly limit = namedLimit(this.config, 'writes');

  constructor(
    private readonly config: Config,
    private readonly windows: RateLimitWindows,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { method, user } = http.getRequest<FastifyRequest & { user?: Principal }>();
    const { limit } = this;
    if (!user || !isWrite(method) || limit.requests === 0) return true;

    const { hits, endsIn } = await this.windows.hit(limit, user.accountId, this.clock.now());
    if (hits > limit.requests) throw tooManyRequests(limit, endsIn);
    setRateLimitHeaders(http.getResponse<FastifyReply>(), toRateLimitStatus(limit, hits, endsIn));
    return true;
  }
}
