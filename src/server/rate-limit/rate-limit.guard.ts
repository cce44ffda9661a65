import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../shared/errors/domain-error.js';
import { addressOf } from '../client-address.js';
import { RouteLimits } from './route-limits.js';

const NOT_LIMITED = Promise.resolve(true);

/**
 * The throttler guard: counts by address, an IPv6 address by its /64, and sets X-RateLimit-Limit,
 * -Remaining and -Reset (seconds). Its rejection has the project's error body.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  @Inject(RouteLimits)
  private readonly limits!: RouteLimits;

  override canActivate(context: ExecutionContext): Promise<boolean> {
    return this.limits.of(context) ? super.canActivate(context) : NOT_LIMITED;
  }

  protected override getTracker(request: FastifyRequest): Promise<string> {
    return Promise.resolve(addressOf(request));
  }

  protected override throwThrottlingException(
    context: ExecutionContext,
    { limit, timeToBlockExpire: retryAfter }: ThrottlerLimitDetail,
  ): Promise<void> {
    const { name: rejectedBy } = this.limits.of(context)!;
    throw new DomainError('TOO_MANY_REQUESTS', {}, { limit, rejectedBy, retryAfter });
  }
}
