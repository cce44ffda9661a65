import { ERRORS, type ErrorCode } from '../shared/errors/error-codes.js';
import type { ErrorShape } from '../server/errors/error-shape.decorator.js';
import { toErrorBody } from '../server/errors/to-error-body.js';

const REQUEST_ID = '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55';

/** Reasons as the service gives them, by the field that they are about. */
const REASONS: Readonly<Record<string, string>> = {
  id: 'id must be an object id of 24 hexadecimal characters',
  clientId: 'clientId must be an object id of 24 hexadecimal characters',
  email: 'email must be an email',
  fingerprint: 'fingerprint must have 16 to 256 characters',
  refreshToken: 'refreshToken must be a string',
  limit: 'limit must not be greater than 100',
  body: 'body must be a JSON object',
  // A route without any field knows none in its query either.
  page: 'property page should not exist',
};

/** What of a route its errors' bodies depend on. */
export interface ErrorContext {
  readonly shape: ErrorShape;
  /** What the route takes. */
  readonly fields: readonly string[];
}

/** The body of an error as a route answers it; where it is about fields, one that the route takes is wrong. */
export function errorExample(code: ErrorCode, { shape, fields }: ErrorContext) {
  if (ERRORS[code].status === 429 && shape.tooManyRequests) return shape.tooManyRequests;
  return { ...shape.always, ...toErrorBody(code, REQUEST_ID, ownFields(code, fields)) };
}

/** Whether an error has the same body on every route of this shape. */
export const isSameEverywhere = (code: ErrorCode, { shape }: ErrorContext) =>
  !shape.always && code !== 'VALIDATION_ERROR';

function ownFields(code: ErrorCode, fields: readonly string[]): Record<string, unknown> {
  if (code === 'VALIDATION_ERROR') {
    const field = fields.find((name) => name in REASONS) ?? (fields.length > 0 ? 'body' : 'page');
    return { errors: { [field]: [REASONS[field]] }, details: `${REASONS[field]}.` };
  }
  if (code === 'CLIENT_EMAIL_TAKEN' || code === 'EMAIL_ALREADY_REGISTERED') {
    return { field: 'email' };
  }
  return ERRORS[code].status === 500
    ? { error: `Tell the operator the request id ${REQUEST_ID}.` }
    : {};
}
