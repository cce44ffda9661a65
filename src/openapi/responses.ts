import type { OpenAPIObject } from '@nestjs/swagger';
import type { Access } from '../auth/access/operations.js';
import { toErrorBody } from '../http/error.filter.js';
import type { ErrorShape } from '../http/route-config.js';
import { ERRORS, type ErrorCode } from '../shared/errors/error-codes.js';
import type { DocumentedRoute } from './documented-routes.js';

// @nestjs/swagger does not export these types by name.
export type All = Required<NonNullable<OpenAPIObject['components']>>;
type Headers = All['headers'];
export type Components = Pick<All, 'examples' | 'responses'>;
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Response = Extract<Operation['responses'][string], { description: string }>;

const text = (description: string, example: string, format?: string) => ({
  description,
  required: true,
  schema: { type: 'string', ...(format && { format }), example },
});

const integer = (description: string, example: number, minimum = 1, required = false) => ({
  description,
  ...(required && { required }),
  schema: { type: 'integer', format: 'int32', minimum, example },
});

/** The response headers of the document, by component name. */
export const HEADERS: Headers = {
  RequestId: text(
    "Identifies this request in the service's log",
    '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55',
    'uuid',
  ),
  RateLimit: integer('Requests allowed per window. Absent if there is no limit.', 60),
  RateLimitRemaining: integer('Requests left in the window', 59, 0),
  RateLimitReset: integer('Seconds until the window ends', 60, 0),
  RetryAfter: integer('Seconds to wait before trying again', 840, 1, true),
  RetryAfterFailure: integer('Seconds to wait before trying again, if known', 1),
  Authenticate: text('Authentication scheme to use', 'Bearer'),
};

const refer = (name: string) => ({ $ref: `#/components/headers/${name}` });

const RATE_LIMIT = {
  'X-RateLimit-Limit': refer('RateLimit'),
  'X-RateLimit-Remaining': refer('RateLimitRemaining'),
  'X-RateLimit-Reset': refer('RateLimitReset'),
};

/** The headers of a route's response with this status. */
export function headersOf(status: number, { isLimited, errorShape }: DocumentedRoute): Headers {
  // A code that the specification requires for failures also covers an unavailable store.
  const isUnavailable = status === 503 || (status === 500 && errorShape.unexpected);
  return {
    'X-Request-Id': refer('RequestId'),
    // The others are sent before rate limits are checked.
    ...(isLimited && ![413, 415].includes(status) && RATE_LIMIT),
    ...(status === 401 && { 'WWW-Authenticate': refer('Authenticate') }),
    ...(status === 429 && { 'Retry-After': refer('RetryAfter') }),
    ...(isUnavailable && { 'Retry-After': refer('RetryAfterFailure') }),
  };
}

const CODES = Object.keys(ERRORS) as ErrorCode[];
/** Errors of every body, even on routes without one, and errors of parsed bodies. */
const OF_BODIES = ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const OF_PARSED_BODIES = ['MALFORMED_JSON', 'BODY_TOO_DEEP'];
const REQUEST_ID = '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55';

/** Additional fields in the examples of some errors. */
const OWN_FIELDS: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  VALIDATION_ERROR: {
    errors: { id: ['id must be an object id of 24 hexadecimal characters'] },
    details: 'id must be an object id of 24 hexadecimal characters.',
  },
  CLIENT_EMAIL_TAKEN: { field: 'email' },
  EMAIL_ALREADY_REGISTERED: { field: 'email' },
  FACTOR_REQUIRED: {
    challenge: 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
    factors: ['totp', 'recovery_code'],
    passkeyOptions: null,
  },
  STEP_UP_REQUIRED: { factors: ['totp'] },
  INSUFFICIENT_ROLE: { role: 'admin' },
  INSUFFICIENT_SCOPE: { scope: 'licenses:read' },
  RELEASE_LIMIT_REACHED: { availableAt: '2026-02-28T10:15:00.000Z' },
  CERTIFICATE_OUTSTANDING: { certificateExpiresAt: '2026-02-28T10:15:00.000Z' },
  KEY_TAKEN: { field: 'key' },
  PARENT_DELETED: { parent: '665f1c2ab7e4a90012345678' },
  LICENSE_EXISTS: { licenseId: '665f1c2ab7e4a90012345678' },
  WRONG_PASSWORD: { field: 'password' },
  MACHINE_LIMIT_REACHED: {
    machines: { used: 5, max: 5 },
    nextLeaseEndsAt: '2026-01-31T10:25:00.000Z',
  },
};

/**
 * The error responses of an operation, one per status, with an example of each code.
 *
 * @param shared collects the shared responses and examples
 */
export function errorResponses(operation: Operation, route: DocumentedRoute, shared: Components) {
  const { default: own, ...declared } = operation.responses as Record<string, Response>;
  const schema = own ? jsonOf(own)!.schema! : { $ref: '#/components/schemas/ErrorBody' };
  const ownCodes = Object.values(declared).flatMap((one) =>
    Object.keys(jsonOf(one)?.examples ?? []),
  );
  const all = [...ownCodes, ...derivedCodes(route, !!operation.requestBody)];
  const responses: Operation['responses'] = {};
  for (const status of new Set(CODES.map((code) => ERRORS[code].status))) {
    const codes = CODES.filter((code) => ERRORS[code].status === status && all.includes(code));
    if (codes.length === 0) continue;
    const examples: Components['examples'] = {};
    for (const code of codes) {
      if (!own) shared.examples[code] = exampleOf(code);
      const shown = own && exampleOf(code, route.errorShape);
      examples[code] = shown ?? { $ref: `#/components/examples/${code}` };
    }
    const response = {
      description: codes.map((code) => `\`${ERRORS[code].message}\` (${code})`).join(', '),
      headers: headersOf(status, route),
      content: { 'application/json': { schema, examples } },
    };
    const isMixed = codes.length > 1 && codes.some((code) => ownCodes.includes(code));
    const isOwn = !!own || isMixed || codes.includes(route.errorShape.unexpected!);
    responses[status] = isOwn ? response : share(response, codes, shared);
  }
  return responses;
}

const jsonOf = ({ content }: Response) => content?.['application/json'];

const exampleOf = (code: ErrorCode, shape?: ErrorShape) => ({
  summary: ERRORS[code].message,
  value: toErrorBody(code, REQUEST_ID, shape, OWN_FIELDS[code]),
});

/** The errors that follow from how a route is declared. */
function derivedCodes(route: DocumentedRoute, hasBody: boolean): string[] {
  const codes = ['VALIDATION_ERROR', 'TOO_MANY_CONCURRENT_REQUESTS'];
  if (!route.isRead) codes.push(...OF_BODIES);
  if (hasBody) codes.push(...OF_PARSED_BODIES);
  if (route.isLimited) codes.push('TOO_MANY_REQUESTS');
  if (route.access) codes.push('UNAUTHORIZED', ...denialsOf(route.access));
  if (route.isHealthCheck) return codes;
  const { unexpected } = route.errorShape;
  const failures = unexpected ? [unexpected] : ['INTERNAL_ERROR', 'STORE_UNAVAILABLE'];
  return [...codes, 'OVERLOADED', ...failures];
}

/** Why the table of operations may deny an operation. */
function denialsOf({ role, scopes, stepUp, withoutFactor }: Access): ErrorCode[] {
  return [
    scopes.length > 0 ? 'INSUFFICIENT_SCOPE' : 'SESSION_REQUIRED',
    ...(role === 'viewer' ? [] : (['INSUFFICIENT_ROLE'] as const)),
    ...(stepUp ? (['STEP_UP_REQUIRED'] as const) : []),
    ...(withoutFactor ? [] : (['FACTOR_SETUP_REQUIRED'] as const)),
  ];
}

/** Names a shared response by its codes, and by whether it has rate limit headers: `UnauthorizedWithRateLimit`. */
function share(response: Response, codes: readonly ErrorCode[], { responses }: Components) {
  const words = codes.join('_or_').toLowerCase().split('_');
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  const fullName = 'X-RateLimit-Limit' in response.headers! ? `${name}WithRateLimit` : name;
  responses[fullName] = response;
  return { $ref: `#/components/responses/${fullName}` };
}
