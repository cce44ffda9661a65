import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { addressOf } from '../../server/client-address.js';
import { type RateLimitStatus, setRateLimitHeaders } from '../../rate-limits/rate-limit-status.js';
import { LoginLimiter } from './login-limiter.js';

/**
 * Rejects an address with too many failures before the body is validated, and sets the rate limit headers.
 * The headers include the attempt itself, which a guard could not do.
 */
@Injectable()
export class LoginLimitInterceptor implements NestInterceptor {
  constructor(private readonly limiter: LoginLimiter) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const address = addressOf(http.getRequest<FastifyRequest>());
    const { byAddress } = this.limiter;
    const setHeaders = (status: RateLimitStatus | undefined) => {
      if (status) setRateLimitHeaders(http.getResponse<FastifyReply>(), status);
    };
    setHeaders(await byAddress.check(address));
    try {
      return of(await lastValueFrom(next.handle()));
    } finally {
      // The response is lost neither where the store goes away now nor where the deadline passes.
      await byAddress.status(address).then(setHeaders, () => undefined);
    }
  }
}
