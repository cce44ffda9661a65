import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, tap } from 'rxjs';
import { addressOf } from '../../server/client-address.js';
import { setRateLimitHeaders } from '../../server/rate-limit/rate-limit-status.js';
import { LoginLimiter } from './login-limiter.js';

/**
 * Rejects an address with too many failures before the body is validated, and sets the rate limit headers.
 * The headers include the attempt itself, which a guard could not do.
 */
@Injectable()
export class LoginLimitInterceptor implements NestInterceptor {
  constructor(private readonly limiter: LoginLimiter) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const address = addressOf(http.getRequest<FastifyRequest>());
    const setHeaders = () => this.setHeaders(address, http.getResponse<FastifyReply>());
    setHeaders();
    this.limiter.checkAddress(address);
    return next.handle().pipe(tap({ next: setHeaders, error: setHeaders }));
  }

  private setHeaders(address: string, reply: FastifyReply): void {
    const status = this.limiter.status(address);
    if (status) setRateLimitHeaders(reply, status);
  }
}
