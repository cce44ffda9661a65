import type { DocumentedRoute } from './documented-routes.js';
import type { Headers } from './openapi-types.js';

/** The response headers of the document, by component name. */
export const HEADERS = {
  RequestId: {
    description: 'Names this request in the log',
    required: true,
    schema: { type: 'string', format: 'uuid', example: '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55' },
  },
  RateLimit: {
    description: 'Requests that the limit allows in a window; absent where there is no limit',
    schema: { type: 'integer', format: 'int32', minimum: 1, example: 60 },
  },
  RateLimitRemaining: {
    description: 'Requests that are left of them',
    schema: { type: 'integer', format: 'int32', minimum: 0, example: 59 },
  },
  RateLimitReset: {
    description: 'Seconds until the window ends',
    schema: { type: 'integer', format: 'int32', minimum: 0, example: 60 },
  },
  RetryAfter: {
    description: 'Seconds until the limit has room again',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1, example: 840 },
  },
  RetryAfterFailure: {
    description: 'Seconds after which it is worth trying again, where that is known',
    schema: { type: 'integer', format: 'int32', minimum: 1, example: 1 },
  },
  Authenticate: {
    description: 'The scheme of the credentials that are missing or not valid',
    required: true,
    schema: { type: 'string', example: 'Bearer' },
  },
} as const satisfies Headers;

const refer = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** Statuses that are sent before the rate limits count. */
const UNCOUNTED = [413, 415];

/** The headers of a route's response with this status. */
export function headersOf(status: number, { isLimited, errorShape }: DocumentedRoute): Headers {
  return {
    'X-Request-Id': refer('RequestId'),
    ...(isLimited &&
      !UNCOUNTED.includes(status) && {
        'X-RateLimit-Limit': refer('RateLimit'),
        'X-RateLimit-Remaining': refer('RateLimitRemaining'),
        'X-RateLimit-Reset': refer('RateLimitReset'),
      }),
    ...(status === 401 && { 'WWW-Authenticate': refer('Authenticate') }),
    ...(status === 429 && { 'Retry-After': refer('RetryAfter') }),
    // A prescribed code of failures stands for an unavailable store too.
    ...((status === 503 || (status === 500 && errorShape.unexpected !== undefined)) && {
      'Retry-After': refer('RetryAfterFailure'),
    }),
  };
}
