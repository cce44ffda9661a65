import type { FastifyReply } from 'fastify';
import type { RateLimitStatus } from './window.js';

export function setRateLimitHeaders(
  reply: FastifyReply,
  { limit, remaining, reset }: RateLimitStatus,
): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', reset);
}
