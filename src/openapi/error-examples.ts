import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS, type ErrorCode } from '../shared/errors/error-codes.js';
import { type ErrorShape, toErrorBody } from '../server/errors/error-body.js';
import type { Examples } from './openapi-types.js';

const REQUEST_ID = '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55';

/** Messages of validation errors, as the service sends them, by field. */
const REASONS: Readonly<Record<string, string>> = {
  id: 'id must be an object id of 24 hexadecimal characters',
  clientId: 'clientId must be an object id of 24 hexadecimal characters',
  email: 'email must be an email',
  fingerprint: 'fingerprint must have 16 to 256 characters',
  refreshToken: 'refreshToken must be a string',
  limit: 'limit must not be greater than 100',
  body: 'body must be a JSON object',
  // For routes without any field: every query parameter is unknown.
  page: 'property page should not exist',
};

const PREFIX = '#/components/examples/';

/**
 * The example of an error: a reference where every route that has the error sends the same body.
 *
 * @param fields names of the route's parameters and of its body's fields
 */
export function exampleEntry(code: ErrorCode, shape: ErrorShape, fields: readonly string[]) {
  return shape.always || code === 'VALIDATION_ERROR'
    ? exampleOf(code, shape, fields)
    : { $ref: `${PREFIX}${code}` };
}

/** The examples that paths refer to, by name. */
export function sharedExamples(paths: OpenAPIObject['paths']): Examples {
  const references = JSON.stringify(paths).matchAll(new RegExp(`"${PREFIX}(\\w+)"`, 'g'));
  const codes = new Set([...references].map(([, code]) => code as ErrorCode));
  return Object.fromEntries([...codes].map((code) => [code, exampleOf(code)]));
}

function exampleOf(code: ErrorCode, shape: ErrorShape = {}, fields: readonly string[] = []) {
  const value = toErrorBody(code, REQUEST_ID, shape, ownFields(code, fields));
  return { summary: ERRORS[code].message, value };
}

/** The fields of an error's body besides the general ones; a validation error names a field of the route. */
function ownFields(code: ErrorCode, fields: readonly string[]): Record<string, unknown> {
  if (code === 'VALIDATION_ERROR') {
    const field = fields.find((name) => name in REASONS) ?? (fields.length > 0 ? 'body' : 'page');
    return { errors: { [field]: [REASONS[field]] }, details: `${REASONS[field]}.` };
  }
  if (code === 'CLIENT_EMAIL_TAKEN' || code === 'EMAIL_ALREADY_REGISTERED') {
    return { field: 'email' };
  }
  return {};
}
