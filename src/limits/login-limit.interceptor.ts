import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { addressOf } from '../http/client-address.js';
import { Config } from '../shared/config/config.js';
import { setRateLimitHeaders } from './rate-limit.guard.js';
import { RateLimits } from './rate-limits.js';

/**
 * Rejects an address with too many failures before the body is validated, and sets the rate limit headers.
 * The headers include the attempt itself, which a guard could not know.
 */
@Injectable()
export class LoginLimitInterceptor implements NestInterceptor {
  constructor(
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const address = addressOf(http.getRequest<FastifyRequest>());
    const { loginByAddress } = this.config.limits;
    await this.limits.check(loginByAddress, address);
    try {
      return of(await lastValueFrom(next.handle()));
    } finally {
      // The response is still sent if the store becomes unavailable or the deadline passes now.
      const status = await this.limits
        .check(loginByAddress, address, Infinity)
        .catch(() => undefined);
      setRateLimitHeaders(http.getResponse<FastifyReply>(), status);
    }
  }
}
