import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Longest user agent that is kept, in characters. */
const MAX_LENGTH = 200;

/** The `User-Agent` of the request, cut to 200 characters; null without one. Node reads headers as latin1, so there is no lone surrogate. */
export const UserAgent = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return headers['user-agent']?.slice(0, MAX_LENGTH) ?? null;
});
