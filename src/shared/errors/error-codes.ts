/**
 * @param message the text of the specification, or one in its style
 * @param details what the caller can do about it, if the message does not tell
 * @param retryAfter seconds for Retry-After, where they do not depend on the request
 */
const error = (status: number) => (message: string, details?: string, retryAfter?: number) => ({
  status,
  message,
  details,
  retryAfter,
});

const badRequest = error(400);
const unauthorized = error(401);
const denied = error(403);
const notFound = error(404);
const conflict = error(409);
const tooManyRequests = error(429);
const failure = error(500);
const unavailable = error(503);

/** Every error of the service: its stable code, status and text. */
export const ERRORS = {
  VALIDATION_ERROR: badRequest('Validation error'),
  MALFORMED_JSON: badRequest(
    'Malformed JSON',
    'The request body must be one well-formed JSON object.',
  ),
  BODY_TOO_DEEP: badRequest(
    'Request body is nested too deeply',
    'A request body has at most 16 levels of objects and arrays.',
  ),
  BAD_REQUEST: badRequest('Bad request'),
  REQUEST_TIMEOUT: error(408)('Request timeout', 'A request must be sent within 10 seconds.'),
  HEADERS_TOO_LARGE: error(431)('Request headers are too large'),
  BODY_TOO_LARGE: error(413)('Request body is too large', 'A request body has at most 16 KiB.'),
  UNSUPPORTED_MEDIA_TYPE: error(415)(
    'Unsupported media type',
    'Send the body as JSON, with the header Content-Type: application/json.',
  ),
  ROUTE_NOT_FOUND: notFound('Route not found', 'GET /docs lists every route.'),
  UNAUTHORIZED: unauthorized('Unauthorized'),
  IDEMPOTENCY_KEY_REUSED: error(422)(
    'Idempotency key already used',
    'It was sent with another request within 24 hours: send a new key.',
  ),
  TOO_MANY_REQUESTS: tooManyRequests(
    'Too many requests',
    'Try again after the number of seconds in the Retry-After header.',
  ),
  TOO_MANY_CONCURRENT_REQUESTS: tooManyRequests(
    'Too many requests at once',
    'Wait for responses before you send more, and try again after the number of seconds in the Retry-After header.',
    1,
  ),
  TOO_MANY_BULK_CHANGES: tooManyRequests(
    'Too many bulk changes in progress',
    'The service is still revoking or removing the licenses of 1,000 projects of this account: try again after the number of ' +
      'seconds in the Retry-After header.',
    10,
  ),
  INTERNAL_ERROR: failure('Internal server error'),
  STORE_UNAVAILABLE: unavailable(
    'Service unavailable',
    'The store cannot be reached at the moment: try again.',
  ),
  SHUTTING_DOWN: unavailable('Service unavailable', 'This instance is shutting down: try again.'),
  OVERLOADED: unavailable(
    'Service unavailable',
    'Too much work is waiting: try again after the number of seconds in the Retry-After header.',
    1,
  ),
  CROSS_ORIGIN_REQUEST: denied(
    'Request from another origin',
    'Send it from a page of this service. Behind a proxy, name it in TRUSTED_PROXIES, and let it keep the Host ' +
      'header and send X-Forwarded-Proto.',
  ),

  EMAIL_ALREADY_REGISTERED: conflict('Email already registered'),
  REGISTRATION_CLOSED: denied(
    'Registration is closed',
    'The operator of this service creates the accounts.',
  ),
  ACCOUNT_DISABLED: denied('Account is disabled', 'The operator of this service has disabled it.'),
  INSUFFICIENT_ROLE: denied(
    'Role is not sufficient',
    'role is the least one that may do this: an admin of the account can change yours.',
  ),
  INSUFFICIENT_SCOPE: denied('API key lacks a scope', 'scope is the one that is missing.'),
  SESSION_REQUIRED: denied(
    'API keys cannot do this',
    'Log in, and send the access token of the session.',
  ),
  API_KEY_NOT_FOUND: notFound('API key not found'),
  API_KEY_QUOTA_REACHED: denied('API key quota reached', 'An account has at most 100 API keys.'),
  WEBHOOK_NOT_FOUND: notFound('Webhook not found'),
  WEBHOOK_QUOTA_REACHED: denied('Webhook quota reached', 'An account has at most 20 webhooks.'),
  WEBHOOK_DISABLED: conflict('Webhook is disabled', 'Enable it first: it takes new events then.'),
  DELIVERY_NOT_FOUND: notFound('Delivery not found', 'Deliveries are kept for 30 days.'),
  MEMBER_NOT_FOUND: notFound('Member not found'),
  MEMBER_QUOTA_REACHED: denied(
    'Member quota reached',
    'An account has at most 100 members, invitations included.',
  ),
  MEMBER_IS_OWNER: conflict(
    'Member is the owner',
    'The operator of this service can make another member the owner.',
  ),
  SESSION_NOT_FOUND: notFound('Session not found'),
  INVALID_INVITATION: badRequest(
    'Invalid invitation',
    'It is unknown, used, withdrawn or expired: get a new one.',
  ),
  WRONG_PASSWORD: denied('Current password is incorrect'),
  INVALID_CREDENTIALS: unauthorized('Invalid email or password'),
  INVALID_REFRESH_TOKEN: unauthorized(
    'Invalid refresh token',
    'It is unknown, spent or expired: log in again.',
  ),

  CLIENT_QUOTA_REACHED: denied(
    'Client quota reached',
    'Delete clients, or ask the operator of this service for a larger quota.',
  ),
  PROJECT_QUOTA_REACHED: denied(
    'Project quota reached',
    'Delete projects, or ask the operator of this service for a larger quota.',
  ),
  LICENSE_QUOTA_REACHED: denied(
    'License quota reached',
    'Delete projects, and wait until their licenses are removed, or ask the operator of this service for a larger quota.',
  ),
  MACHINE_QUOTA_REACHED: denied(
    'Machine quota reached',
    "The vendor's account has as many machines as it may have: release some, or ask the operator of this service for a larger quota.",
  ),
  IDEMPOTENCY_QUOTA_REACHED: denied(
    'Idempotency key quota reached',
    'Send the request without an Idempotency-Key, or wait until keys of the last 24 hours expire.',
  ),

  CLIENT_NAME_REQUIRED: badRequest('Client name required'),
  CLIENT_EMAIL_REQUIRED: badRequest('Client email required'),
  CLIENT_EMAIL_TAKEN: conflict('Client with this email already exists'),
  CLIENT_NOT_FOUND: notFound('Client not found'),
  CLIENT_HAS_PROJECTS: conflict('Client has projects', 'Delete its projects first.'),

  CLIENT_ID_AND_PROJECT_NAME_REQUIRED: badRequest('Client ID & Project name required'),
  INVALID_DURATION: badRequest(
    'Invalid duration',
    'duration is a whole number of months from 1 to 12.',
  ),
  INVALID_TERM: badRequest(
    'Invalid term',
    'Send one of duration (1 to 12 months), days, perpetual, expiresAt or plan.',
  ),
  SERVICES_REQUIRED: badRequest('At least one service is required'),
  PROJECT_NOT_FOUND: notFound('Project not found'),
  PROJECT_NAME_REQUIRED: badRequest('Project name required'),
  PROJECT_HAS_PRODUCT: conflict(
    'Project already has a product',
    'Certificates name it, so it stays: create another project.',
  ),
  PROJECT_HAS_ACTIVE_LICENSES: conflict(
    'Project has active licenses',
    'Revoke them first, or wait until they have expired.',
  ),
  PROJECT_CREATION_FAILED: failure('Failed to create project and license'),

  PLAN_NOT_FOUND: notFound('Plan not found'),
  PLAN_QUOTA_REACHED: denied('Plan quota reached', 'An account has at most 1,000 plans.'),
  PLAN_NAME_REQUIRED: badRequest('Plan name required'),
  PLAN_NAME_TAKEN: conflict('Plan with this name already exists'),
  PLAN_OF_ANOTHER_PRODUCT: conflict(
    'Plan is for another product',
    'It issues licenses for projects of its product alone.',
  ),

  LICENSE_KEY_REQUIRED: badRequest('License key is required'),
  FINGERPRINT_REQUIRED: badRequest(
    'Fingerprint is required',
    'Send a fingerprint of 16 to 256 characters that names the machine.',
  ),
  PRODUCT_REQUIRED: badRequest(
    'Product is required',
    "Send the product that the certificate is for: its label, or the project's id.",
  ),
  LICENSE_NOT_FOUND: notFound('License not found'),
  LICENSE_REVOKED: denied('License has been revoked'),
  LICENSE_EXPIRED: denied('License has expired'),
  LICENSE_SUSPENDED: denied(
    'License is suspended',
    'Its vendor may resume it: it is valid again then.',
  ),
  LICENSE_ON_ANOTHER_MACHINE: denied('License already activated on another machine'),
  MACHINE_LIMIT_REACHED: denied(
    'Machine limit reached',
    'Release another machine of the license first.',
  ),
  TRIAL_USED: denied(
    'Trial already used on this machine',
    'A machine activates one license of this plan.',
  ),
  RELEASE_NOT_ALLOWED: denied(
    'Release is not allowed',
    'The vendor of the license releases its machines.',
  ),
  RELEASE_LIMIT_REACHED: denied(
    'Release limit reached',
    'The license was released by machines too often in the last 30 days: its vendor may release this one.',
  ),
  CERTIFICATE_OUTSTANDING: conflict(
    'A certificate for this machine is still valid',
    'It was issued for a machine without a network: the vendor may release the machine.',
  ),
  MACHINE_NOT_FOUND: notFound(
    'Machine not found',
    'This machine does not hold a seat on this license.',
  ),
  LICENSE_HAS_NO_LEASES: conflict(
    'License has no leases',
    'A machine holds its seat until it is released: there is nothing to extend.',
  ),
  LICENSE_NOT_ACTIVATED: conflict(
    'License has not been activated',
    'Its term begins with its first activation, unless its end is absolute.',
  ),
  LICENSE_ALREADY_REVOKED: conflict(
    'License has already been revoked',
    'A revoked license stays revoked: create a new one for its project.',
  ),
  LICENSE_TERM_TOO_LONG: conflict(
    'License term is too long',
    'A license may expire at most 3,660 days from now.',
  ),
  LICENSE_IS_PERPETUAL: conflict(
    'License is perpetual',
    'A perpetual license never expires. Change expiresAt to give it an end.',
  ),
  UPDATES_UNLIMITED: conflict(
    'License has updates without limit',
    'Set updatesUntil first to limit them.',
  ),
  TERM_REQUIRED: conflict(
    'Term required',
    'The license has no time left. Send `duration`, `days` or `perpetual` for the replacement.',
  ),
  LICENSE_EXISTS: conflict('License with this external id already exists', 'licenseId is its id.'),
  MACHINES_IN_USE: conflict('More machines use the license', 'Release some of them first.'),
  LICENSE_TERM_ENDED: conflict('License term has ended', 'Renew the license first.'),
  LICENSE_BOUND_ELSEWHERE: conflict(
    'License is bound to another machine',
    'Reissue the license for this machine.',
  ),
  LICENSE_OF_ANOTHER_PRODUCT: conflict(
    'License is for another product',
    "Send the label of its project's product, or the project's id.",
  ),
  SIGNING_KEY_NOT_CURRENT: conflict(
    'Signing key is not the current one',
    'GET /signing-keys shows the current one.',
  ),
  RETIRED_KEY_QUOTA_REACHED: denied(
    'Retired key quota reached',
    'At most 24 retired keys are published, each for 366 days: rotate later. Use compromised only for a key that ' +
      'somebody else may have.',
  ),
  ACTIVATION_FAILED: failure('Activation failed'),
};

export type ErrorCode = keyof typeof ERRORS;
