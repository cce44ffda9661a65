import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../shared/errors/domain-error.js';
import { ERRORS, type ErrorCode } from '../shared/errors/error-codes.js';
import { RejectionMetrics } from './rejection-metrics.js';
import type { ErrorShape } from './route-config.js';

/** `Cache-Control`, because responses contain license keys, tokens and customer data. */
export const NO_STORE = 'no-store';

/**
 * Turns every exception into the error body: `message`, `code`, `requestId`, and the fields of the
 * specification. The cause of an unexpected failure is logged but not sent.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly metrics: RejectionMetrics) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (exception instanceof DomainError) {
      this.metrics.count(exception, request.routeOptions.config.workClass);
    }
    sendError(exception, request, http.getResponse<FastifyReply>());
  }
}

/** Sends the error response of a request, including requests that fail outside of Nest's routes. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { errorShape = {} } = request.routeOptions.config;
  const rejection = rejectionOf(error);
  if (rejection?.retryAfter !== undefined) reply.header('Retry-After', rejection.retryAfter);
  if (rejection?.code === 'TOO_MANY_REQUESTS') {
    // If a route has several limits, the headers describe the exceeded one.
    if (rejection.limit !== undefined) reply.header('X-RateLimit-Limit', rejection.limit);
    reply.header('X-RateLimit-Remaining', 0);
    reply.header('X-RateLimit-Reset', rejection.retryAfter);
  }
  // On the endpoints it defines, the specification requires the same response for any failure, even an
  // unavailable store.
  const isFailure = !rejection || (rejection.code === 'STORE_UNAVAILABLE' && errorShape.unexpected);
  if (!rejection) request.log.error({ err: error }, 'unexpected failure');
  else if (rejection.cause) {
    const { code, cause } = rejection;
    request.log.error(code === 'STORE_UNAVAILABLE' ? { cause } : { err: cause }, code);
  }
  const code = isFailure ? (errorShape.unexpected ?? 'INTERNAL_ERROR') : rejection.code;
  const { status } = ERRORS[code];
  // RFC 9110, section 11.6.1: a 401 names the authentication scheme.
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  const fields = isFailure ? {} : rejection.fields;
  // The route may have declared its response cacheable.
  reply.header('Cache-Control', NO_STORE);
  // An export that fails before its first byte has already sent the headers of a file.
  reply.removeHeader('Content-Disposition').type('application/json');
  reply.status(status).send(toErrorBody(code, request.id, errorShape, fields));
}

/** The error body in the shape that the route requires: text, code, extra fields and request id. */
export function toErrorBody(
  code: ErrorCode,
  requestId: string,
  { always, tooManyRequests }: ErrorShape = {},
  fields: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { status, message, details } = ERRORS[code];
  if (status === 429 && tooManyRequests) return tooManyRequests;
  return {
    ...always,
    message,
    code,
    ...(details && { details }),
    ...(status === 500 && { error: `Tell the operator the request id ${requestId}.` }),
    ...fields,
    requestId,
  };
}

/** The codes for rejections by Nest and Fastify themselves, by status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHORIZED',
  404: 'ROUTE_NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** The rejection an exception maps to; undefined for an unexpected failure. */
function rejectionOf(exception: unknown): DomainError | undefined {
  if (exception instanceof DomainError) return exception;
  const status = statusOf(exception);
  return status >= 400 && status < 500
    ? new DomainError(BY_STATUS[status] ?? 'BAD_REQUEST')
    : undefined;
}

function statusOf(exception: unknown): number {
  if (exception instanceof HttpException) return exception.getStatus();
  return (exception as { statusCode?: number } | undefined)?.statusCode ?? 500;
}
