import { ERRORS, type ErrorCode } from '../../shared/errors/error-codes.js';
import type { ErrorShape } from './error-shape.decorator.js';

/** The body of every error: its text and code, its own fields and the request's id, in the shape of the route. */
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
