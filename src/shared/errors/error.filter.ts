import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from './error-codes.js';
import type { ErrorShape } from './error-shape.decorator.js';
import { refusalOf } from './refusal-of.js';
import { toErrorBody } from './to-error-body.js';

/**
 * Turns everything thrown into the one error body: `message`, `code`, `requestId`, and the fields
 * that the specification gives. The cause of an unexpected failure goes to the log alone.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(exception, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** Answers a request with what went wrong; for failures outside of Nest's routes too. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { errorShape = {} } = request.routeOptions.config as { errorShape?: ErrorShape };
  const refusal = refusalOf(error);
  if (refusal?.retryAfter !== undefined) reply.header('Retry-After', refusal.retryAfter);
  if (refusal?.code === 'TOO_MANY_REQUESTS') {
    // Of several limits on a route, the one that refuses is the one to tell of.
    reply.header('X-RateLimit-Remaining', 0);
    reply.header('X-RateLimit-Reset', refusal.retryAfter);
  }
  if (refusal && ERRORS[refusal.code].status === 429 && errorShape.tooManyRequests) {
    reply.status(429).send(errorShape.tooManyRequests);
    return;
  }
  // On its own endpoints, the specification knows one answer to any failure of the service.
  const isFailure = !refusal || (refusal.code === 'STORE_UNAVAILABLE' && errorShape.unexpected);
  if (!refusal) request.log.error({ err: error }, 'unexpected failure');
  else if (refusal.cause) request.log.error({ err: refusal.cause }, refusal.code);
  const code = isFailure ? (errorShape.unexpected ?? 'INTERNAL_ERROR') : refusal.code;
  const { status } = ERRORS[code];
  // RFC 9110, section 11.6.1: a 401 names the scheme that would do.
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  const fields = isFailure
    ? { error: `Tell the operator the request id ${request.id}.` }
    : refusal.fields;
  reply.status(status).send({ ...errorShape.always, ...toErrorBody(code, request.id, fields) });
}
