interface ErrorDefinition {
  /** HTTP status. */
  readonly status: number;
  /** The text of the specification, or one in its style. */
  readonly message: string;
  /** What the caller can do about it, if the message does not tell. */
  readonly details?: string;
  /** Seconds for Retry-After, where they do not depend on the request. */
  readonly retryAfter?: number;
}

const define = <Code extends string>(table: Record<Code, ErrorDefinition>) => table;

/** Every error of the service: its stable code, status and text. */
export const ERRORS = define({
  VALIDATION_ERROR: { status: 400, message: 'Validation error' },
  MALFORMED_JSON: {
    status: 400,
    message: 'Malformed JSON',
    details: 'The request body must be one well-formed JSON object.',
  },
  BODY_TOO_DEEP: {
    status: 400,
    message: 'Request body is nested too deeply',
    details: 'A request body has at most 16 levels of objects and arrays.',
  },
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'Request timeout',
    details: 'A request must be sent within 10 seconds.',
  },
  HEADERS_TOO_LARGE: { status: 431, message: 'Request headers are too large' },
  BODY_TOO_LARGE: {
    status: 413,
    message: 'Request body is too large',
    details: 'A request body has at most 16 KiB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Unsupported media type',
    details: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    message: 'Route not found',
    details: 'GET /docs lists every route.',
  },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'Idempotency key already used',
    details: 'It was sent with another request within 24 hours: send a new key.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Too many requests',
    details: 'Try again after the number of seconds in the Retry-After header.',
  },
  TOO_MANY_CONCURRENT_REQUESTS: {
    status: 429,
    message: 'Too many requests at once',
    details:
      'Wait for responses before you send more, and try again after the number of seconds in the Retry-After header.',
    retryAfter: 1,
  },
  INTERNAL_ERROR: { status: 500, message: 'Internal server error' },
  STORE_UNAVAILABLE: {
    status: 503,
    message: 'Service unavailable',
    details: 'The store cannot be reached at the moment: try again.',
  },
  SHUTTING_DOWN: {
    status: 503,
    message: 'Service unavailable',
    details: 'This instance is shutting down: try again.',
  },
  OVERLOADED: {
    status: 503,
    message: 'Service unavailable',
    details:
      'Too much work is waiting: try again after the number of seconds in the Retry-After header.',
    retryAfter: 1,
  },
  CROSS_ORIGIN_REQUEST: {
    status: 403,
    message: 'Request from another origin',
    details:
      'Send it from a page of this service. Behind a proxy, name it in TRUSTED_PROXIES, and let it keep the Host ' +
      'header and send X-Forwarded-Proto.',
  },

  EMAIL_ALREADY_REGISTERED: { status: 409, message: 'Email already registered' },
  REGISTRATION_CLOSED: {
    status: 403,
    message: 'Registration is closed',
    details: 'The operator of this service creates the accounts.',
  },
  ACCOUNT_DISABLED: {
    status: 403,
    message: 'Account is disabled',
    details: 'The operator of this service has disabled it.',
  },
  WRONG_PASSWORD: { status: 403, message: 'Current password is incorrect' },
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid email or password' },
  INVALID_REFRESH_TOKEN: {
    status: 401,
    message: 'Invalid refresh token',
    details: 'It is unknown, spent or expired: log in again.',
  },

  CLIENT_QUOTA_REACHED: {
    status: 403,
    message: 'Client quota reached',
    details: 'Delete clients, or ask the operator of this service for a larger quota.',
  },
  PROJECT_QUOTA_REACHED: {
    status: 403,
    message: 'Project quota reached',
    details: 'Delete projects, or ask the operator of this service for a larger quota.',
  },
  LICENSE_QUOTA_REACHED: {
    status: 403,
    message: 'License quota reached',
    details: 'Delete projects, or ask the operator of this service for a larger quota.',
  },
  IDEMPOTENCY_QUOTA_REACHED: {
    status: 403,
    message: 'Idempotency key quota reached',
    details:
      'Send the request without an Idempotency-Key, or wait until keys of the last 24 hours expire.',
  },

  CLIENT_NAME_REQUIRED: { status: 400, message: 'Client name required' },
  CLIENT_EMAIL_REQUIRED: { status: 400, message: 'Client email required' },
  CLIENT_EMAIL_TAKEN: { status: 409, message: 'Client with this email already exists' },
  CLIENT_NOT_FOUND: { status: 404, message: 'Client not found' },
  CLIENT_HAS_PROJECTS: {
    status: 409,
    message: 'Client has projects',
    details: 'Delete its projects first.',
  },

  CLIENT_ID_AND_PROJECT_NAME_REQUIRED: {
    status: 400,
    message: 'Client ID & Project name required',
  },
  INVALID_DURATION: {
    status: 400,
    message: 'Invalid duration',
    details: 'duration is a whole number of months from 1 to 12.',
  },
  SERVICES_REQUIRED: { status: 400, message: 'At least one service is required' },
  PROJECT_NOT_FOUND: { status: 404, message: 'Project not found' },
  PROJECT_NAME_REQUIRED: { status: 400, message: 'Project name required' },
  PROJECT_HAS_PRODUCT: {
    status: 409,
    message: 'Project already has a product',
    details: 'Certificates name it, so it stays: create another project.',
  },
  PROJECT_HAS_ACTIVE_LICENSES: {
    status: 409,
    message: 'Project has active licenses',
    details: 'Revoke them first, or wait until they have expired.',
  },
  PROJECT_CREATION_FAILED: { status: 500, message: 'Failed to create project and license' },

  LICENSE_KEY_REQUIRED: { status: 400, message: 'License key is required' },
  FINGERPRINT_REQUIRED: {
    status: 400,
    message: 'Fingerprint is required',
    details: 'Send a fingerprint of 16 to 256 characters that names the machine.',
  },
  PRODUCT_REQUIRED: {
    status: 400,
    message: 'Product is required',
    details: "Send the product that the certificate is for: its label, or the project's id.",
  },
  LICENSE_NOT_FOUND: { status: 404, message: 'License not found' },
  LICENSE_REVOKED: { status: 403, message: 'License has been revoked' },
  LICENSE_EXPIRED: { status: 403, message: 'License has expired' },
  LICENSE_ON_ANOTHER_MACHINE: {
    status: 403,
    message: 'License already activated on another machine',
  },
  LICENSE_NOT_ACTIVATED: {
    status: 409,
    message: 'License has not been activated',
    details: 'Its term begins with its first activation: there is nothing to renew yet.',
  },
  LICENSE_ALREADY_REVOKED: {
    status: 409,
    message: 'License has already been revoked',
    details: 'A revoked license stays revoked: create a new one for its project.',
  },
  LICENSE_TERM_TOO_LONG: {
    status: 409,
    message: 'License term is too long',
    details: 'A term has at most 120 months, renewals included.',
  },
  LICENSE_TERM_ENDED: {
    status: 409,
    message: 'License term has ended',
    details: 'Renew the license first.',
  },
  LICENSE_BOUND_ELSEWHERE: {
    status: 409,
    message: 'License is bound to another machine',
    details: 'Reissue the license for this machine.',
  },
  LICENSE_OF_ANOTHER_PRODUCT: {
    status: 409,
    message: 'License is for another product',
    details: "Send the label of its project's product, or the project's id.",
  },
  SIGNING_KEY_NOT_CURRENT: {
    status: 409,
    message: 'Signing key is not the current one',
    details: 'GET /signing-keys shows the current one.',
  },
  RETIRED_KEY_QUOTA_REACHED: {
    status: 403,
    message: 'Retired key quota reached',
    details:
      'At most 24 retired keys are published, each for 366 days: rotate later. Use compromised only for a key that ' +
      'somebody else may have.',
  },
  ACTIVATION_FAILED: { status: 500, message: 'Activation failed' },
});

export type ErrorCode = keyof typeof ERRORS;
