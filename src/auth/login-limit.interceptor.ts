import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, tap } from 'rxjs';
import { addressOf } from '../shared/http/client-address.decorator.js';
import { setRateLimitHeaders } from '../shared/http/rate-limit/rate-limit-status.js';
import { LoginLimiter } from './login-limiter.js';

/**
 * Refuses an address that has failed too often before its request's body is looked at, and tells how
 * the address stands, after the attempt if there was one: a guard could only tell how it stood before.
 */
@Injectable()
export class LoginLimitInterceptor implements NestInterceptor {
  constructor(private readonly limiter: LoginLimiter) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const address = addressOf(http.getRequest<FastifyRequest>());
    const tellStanding = () => this.tellStanding(address, http.getResponse<FastifyReply>());
    tellStanding();
    this.limiter.checkAddress(address);
    return next.handle().pipe(tap({ next: tellStanding, error: tellStanding }));
  }

  private tellStanding(address: string, reply: FastifyReply): void {
    const standing = this.limiter.standing(address);
    if (standing) setRateLimitHeaders(reply, standing);
  }
}
