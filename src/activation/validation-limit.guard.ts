import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../server/client-address.js';
import { setRateLimitHeaders } from '../server/rate-limit/rate-limit-status.js';
import { ValidationLimiter } from './validation-limiter.js';

/** Applies the rate limits of validation before the body is validated, so that malformed requests count, too. */
@Injectable()
export class ValidationLimitGuard implements CanActivate {
  constructor(private readonly limiter: ValidationLimiter) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const status = this.limiter.count(addressOf(request), keyIn(request.body));
    if (status) setRateLimitHeaders(http.getResponse<FastifyReply>(), status);
    return true;
  }
}

/** The license key of a body that has not been validated. */
function keyIn(body: unknown): string | undefined {
  const key = (body as { key?: unknown } | null | undefined)?.key;
  return typeof key === 'string' ? key : undefined;
}
