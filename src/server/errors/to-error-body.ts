import { ERRORS, type ErrorCode } from '../../shared/errors/error-codes.js';

/** The body of every error: what the table says of its code, its own fields, and the request's id. */
export function toErrorBody(
  code: ErrorCode,
  requestId: string,
  fields: Readonly<Record<string, unknown>> = {},
) {
  const { message, details } = ERRORS[code];
  return { message, code, ...(details && { details }), ...fields, requestId };
}
