import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../shared/config/config.js';
import { Clock } from '../../shared/time/clock.js';
import type { Principal } from '../../auth/principal.js';
import { setRateLimitHeaders } from './rate-limit-status.js';
import { RequestLimit } from './request-limit.js';

/** Whether requests of a method change something. */
export const isWrite = (method: string): boolean => !['GET', 'HEAD'].includes(method);

/** Limits the writes of an account. It runs after authentication, and sets the headers of RateLimitGuard. */
@Injectable()
export class WriteLimitGuard implements CanActivate {
  private readonly writes: RequestLimit;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.writes = new RequestLimit(config.limits.writes);
  }

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { method, user } = http.getRequest<FastifyRequest & { user?: Principal }>();
    if (!user || !isWrite(method)) return true;

    const now = this.clock.now().getTime();
    this.writes.check(user.accountId, now);
    const status = this.writes.count(user.accountId, now);
    if (status) setRateLimitHeaders(http.getResponse<FastifyReply>(), status);
    return true;
  }
}
