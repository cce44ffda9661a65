import type { FastifyReply } from 'fastify';

/** The values of the X-RateLimit-* headers. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
}

/** Of two limits on one request, the one that is nearer to rejecting. */
export function nearerToRejecting(
  first: RateLimitStatus | undefined,
  second: RateLimitStatus | undefined,
): RateLimitStatus | undefined {
  if (!first || !second) return first ?? second;
  return second.remaining < first.remaining ? second : first;
}

export function setRateLimitHeaders(
  reply: FastifyReply,
  { limit, remaining, reset }: RateLimitStatus,
): void {
  reply.header('X-RateLimit-Limit', limit);
  reply.header('X-RateLimit-Remaining', remaining);
  reply.header('X-RateLimit-Reset', reset);
}
