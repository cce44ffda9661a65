import type { FastifyReply } from 'fastify';
import type { Limit } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { NamedLimit } from './rate-limit-windows.js';

/** The values of the X-RateLimit-* headers. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
}

/** @param endsIn milliseconds until the window ends */
export const toRateLimitStatus = (
  { requests: limit }: Limit,
  hits: number,
  endsIn: number,
): RateLimitStatus => ({ limit, remaining: Math.max(0, limit - hits), reset: toSeconds(endsIn) });

/** @param endsIn milliseconds until the window ends */
export const tooManyRequests = (
  { requests: limit, name: rejectedBy }: NamedLimit,
  endsIn: number,
): DomainError =>
  new DomainError('TOO_MANY_REQUESTS', {}, { limit, rejectedBy, retryAfter: toSeconds(endsIn) });

/** Whole seconds, as headers count them. */
export const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

export function setRateLimitHeaders(
  reply: FastifyReply,
  { limit, remaining, reset }: RateLimitStatus,
): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', reset);
}
