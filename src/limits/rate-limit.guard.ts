import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { limitNameIn } from './route-limits.js';
import { tooManyRequests } from './window.js';

/** Rejects a request beyond the limit of its route before its body is parsed, so malformed requests count. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  /** @throws DomainError TOO_MANY_REQUESTS */
  protected override throwThrottlingException(
    _context: ExecutionContext,
    { key, limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): never {
    throw tooManyRequests({ name: limitNameIn(key), requests: limit }, timeToBlockExpire);
  }
}
