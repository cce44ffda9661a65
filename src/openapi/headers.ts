import type { DocumentedRoute } from './documented-routes.js';
import type { Headers } from './openapi-types.js';

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
  RequestId: text('Names this request in the log', '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55', 'uuid'),
  RateLimit: integer('Requests that the limit allows in a window; absent without a limit', 60),
  RateLimitRemaining: integer('Requests that are left of them', 59, 0),
  RateLimitReset: integer('Seconds until the window ends', 60, 0),
  RetryAfter: integer('Seconds until the limit has room again', 840, 1, true),
  RetryAfterFailure: integer('Seconds after which to try again, where that is known', 1),
  Authenticate: text('The scheme of the credentials that are missing or not valid', 'Bearer'),
};

const refer = (name: string) => ({ $ref: `#/components/headers/${name}` });

const RATE_LIMIT = {
  'X-RateLimit-Limit': refer('RateLimit'),
  'X-RateLimit-Remaining': refer('RateLimitRemaining'),
  'X-RateLimit-Reset': refer('RateLimitReset'),
};

/** The headers of a route's response with this status. */
export function headersOf(status: number, { isLimited, errorShape }: DocumentedRoute): Headers {
  // A prescribed code of failures stands for an unavailable store too.
  const isUnavailable = status === 503 || (status === 500 && errorShape.unexpected);
  return {
    'X-Request-Id': refer('RequestId'),
    // The others are sent before the rate limits count.
    ...(isLimited && ![413, 415].includes(status) && RATE_LIMIT),
    ...(status === 401 && { 'WWW-Authenticate': refer('Authenticate') }),
    ...(status === 429 && { 'Retry-After': refer('RetryAfter') }),
    ...(isUnavailable && { 'Retry-After': refer('RetryAfterFailure') }),
  };
}
