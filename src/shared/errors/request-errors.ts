import {
  error,
  badRequest,
  unauthorized,
  denied,
  notFound,
  tooManyRequests,
  failure,
  unavailable,
} from './error-kinds.js';

/** The errors that any request can get, whatever it is about. */
export const REQUEST_ERRORS = {
  VALIDATION_ERROR: badRequest('Validation error'),
  MALFORMED_JSON: badRequest('Malformed JSON', 'The request body must be a valid JSON object.'),
  BODY_TOO_DEEP: badRequest(
    'Request body is nested too deeply',
    'Objects and arrays can be nested at most 16 levels deep.',
  ),
  BAD_REQUEST: badRequest(
    'Bad request',
    'The service could not read the request. Check its URL, headers and encoding.',
  ),
  REQUEST_TIMEOUT: error(408)(
    'Request timeout',
    'The whole request must arrive within 10 seconds.',
  ),
  HEADERS_TOO_LARGE: error(431)(
    'Request headers are too large',
    'All headers together can have at most 16 KiB.',
  ),
  BODY_TOO_LARGE: error(413)(
    'Request body is too large',
    'The maximum is 16 KiB, and 1 MiB for an import.',
  ),
  UNSUPPORTED_MEDIA_TYPE: error(415)(
    'Unsupported media type',
    'Send JSON with the header Content-Type: application/json.',
  ),
  ROUTE_NOT_FOUND: notFound('Route not found', 'See GET /docs for all routes.'),
  UNAUTHORIZED: unauthorized('Unauthorized'),
  IDEMPOTENCY_KEY_REUSED: error(422)(
    'Idempotency key already used',
    'This key was sent with a different request in the last 24 hours. Use a new key.',
  ),
  TOO_MANY_REQUESTS: tooManyRequests(
    'Too many requests',
    'Try again after the number of seconds in the Retry-After header.',
  ),
  TOO_MANY_CONCURRENT_REQUESTS: tooManyRequests(
    'Too many concurrent requests',
    'Send fewer requests in parallel. Try again after the number of seconds in the Retry-After header.',
    1,
  ),
  TOO_MANY_BULK_CHANGES: tooManyRequests(
    'Too many bulk changes in progress',
    'The service is still revoking, deleting or restoring the licenses of 1,000 projects in this account. Try again ' +
      'after the number of ' +
      'seconds in the Retry-After header.',
    10,
  ),
  INTERNAL_ERROR: failure('Internal server error'),
  STORE_UNAVAILABLE: unavailable(
    'Service unavailable',
    'The database cannot be reached right now. Try again.',
  ),
  SHUTTING_DOWN: unavailable('Service unavailable', 'This instance is shutting down. Try again.'),
  OVERLOADED: unavailable(
    'Service unavailable',
    'The service is overloaded. Try again after the number of seconds in the Retry-After header.',
    1,
  ),
  CROSS_ORIGIN_REQUEST: denied(
    'Cross-origin request',
    'Only pages of this service can call this route. Behind a proxy, list the proxy in TRUSTED_PROXIES ' +
      'and have it keep the Host header and set X-Forwarded-Proto.',
  ),
};
