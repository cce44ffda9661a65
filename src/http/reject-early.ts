import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '../shared/errors/domain-error.js';
import { ERRORS } from '../shared/errors/error-codes.js';
import { NO_STORE, toErrorBody } from './error.filter.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether {@link rejectEarly} responded: such requests are counted but not logged. */
    isRejected: boolean;
  }
}

/**
 * Sends a minimal rejection without the exception filter and the log, because under overload, most of the
 * time is spent on rejections (R8).
 */
export function rejectEarly(
  request: FastifyRequest,
  reply: FastifyReply,
  { code, retryAfter }: DomainError,
  corsOrigins: readonly string[],
): void {
  const { origin = '' } = request.headers;
  const body = JSON.stringify(
    toErrorBody(code, request.id, request.routeOptions.config.errorShape),
  );
  request.isRejected = true;
  reply.hijack();
  reply.raw
    .writeHead(ERRORS[code].status, {
      ...{ 'Content-Type': 'application/json; charset=utf-8' },
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': NO_STORE,
      'X-Content-Type-Options': 'nosniff',
      'Retry-After': retryAfter,
      'X-Request-Id': request.id,
      ...(corsOrigins.includes(origin) && {
        'Access-Control-Allow-Origin': origin,
        Vary: 'Origin',
      }),
    })
    .end(body);
}
