import { HttpException } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { ErrorCode } from '../../shared/errors/error-codes.js';

/** The rejections of Nest's and Fastify's own, by their status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHORIZED',
  404: 'ROUTE_NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** The rejection that an exception means to the caller; undefined for a failure that nobody expected. */
export function rejectionOf(exception: unknown): DomainError | undefined {
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
