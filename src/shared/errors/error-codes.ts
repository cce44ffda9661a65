import { badRequest, unauthorized, denied, notFound, conflict, failure } from './error-kinds.js';
import { FACTOR_ERRORS } from './factor-errors.js';
import { IMPORT_ERRORS } from './import-errors.js';
import { REQUEST_ERRORS } from './request-errors.js';

/** Every error of the service: a stable code, its status and its text. */
export const ERRORS = {
  ...REQUEST_ERRORS,

  EMAIL_ALREADY_REGISTERED: conflict('Email already registered', 'Use a different address.'),
  REGISTRATION_CLOSED: denied(
    'Registration is closed',
    'Ask the operator of this service for an account.',
  ),
  ACCOUNT_DISABLED: denied(
    'Account is disabled',
    'The operator of this service has disabled it. Only the operator can enable it again.',
  ),
  INSUFFICIENT_ROLE: denied('Insufficient role', 'Ask an admin for the role in `role`.'),
  INSUFFICIENT_SCOPE: denied(
    'API key is missing a scope',
    'Use an API key that has the scope in `scope`.',
  ),
  SESSION_REQUIRED: denied(
    'Not allowed with an API key',
    'Log in and send an access token instead.',
  ),
  API_KEY_NOT_FOUND: notFound('API key not found'),
  API_KEY_QUOTA_REACHED: denied(
    'API key quota reached',
    'An account can have at most 100 API keys. Delete one first.',
  ),
  WEBHOOK_NOT_FOUND: notFound('Webhook not found'),
  WEBHOOK_QUOTA_REACHED: denied(
    'Webhook quota reached',
    'An account can have at most 20 webhooks. Delete one first.',
  ),
  WEBHOOK_DISABLED: conflict('Webhook is disabled', 'Enable it first.'),
  DELIVERY_NOT_FOUND: notFound('Delivery not found', 'Deliveries are deleted after 30 days.'),
  MEMBER_NOT_FOUND: notFound('Member not found'),
  MEMBER_QUOTA_REACHED: denied(
    'Member quota reached',
    'An account can have at most 100 members, including pending invitations. Remove one first.',
  ),
  MEMBER_IS_OWNER: conflict(
    'Member is the owner',
    'Only the operator of this service can make another member the owner.',
  ),
  SESSION_NOT_FOUND: notFound('Session not found'),
  INVALID_INVITATION: badRequest(
    'Invalid invitation',
    'It may have expired, been used or been withdrawn. Ask for a new one.',
  ),
  MAIL_OFF: conflict('Mail is off', 'Ask the operator of this service to set it up.'),
  MAIL_NOT_FOUND: notFound('Mail not found'),
  MAIL_NOT_REPEATABLE: conflict(
    'Mail cannot be sent again',
    'Only failed mail to clients can be sent again.',
  ),
  INVALID_LINK: badRequest('Invalid link', 'It may have expired or been used. Request a new one.'),
  WRONG_PASSWORD: denied('Current password is incorrect'),
  ...FACTOR_ERRORS,
  INVALID_CREDENTIALS: unauthorized('Invalid email or password'),
  INVALID_REFRESH_TOKEN: unauthorized(
    'Invalid refresh token',
    'It may have expired or been used already. Log in again.',
  ),

  ADDRESS_NOT_MAILABLE: conflict('Email address cannot receive mail', 'Change the address first.'),

  CLIENT_QUOTA_REACHED: denied(
    'Client quota reached',
    'Delete clients or ask the operator of this service for a higher quota.',
  ),
  PROJECT_QUOTA_REACHED: denied(
    'Project quota reached',
    'Delete projects or ask the operator of this service for a higher quota.',
  ),
  LICENSE_QUOTA_REACHED: denied(
    'License quota reached',
    'Delete projects or ask the operator of this service for a higher quota.',
  ),
  MACHINE_QUOTA_REACHED: denied(
    'Machine quota reached',
    "The vendor's account has reached its limit. Release machines or ask the operator of this service for a higher quota.",
  ),
  IDEMPOTENCY_QUOTA_REACHED: denied(
    'Idempotency key quota reached',
    'Omit the Idempotency-Key header, or wait until older keys expire. Each expires after 24 hours.',
  ),

  CLIENT_NAME_REQUIRED: badRequest('Client name required'),
  CLIENT_EMAIL_REQUIRED: badRequest('Client email required'),
  CLIENT_EMAIL_TAKEN: conflict('Client with this email already exists'),
  CLIENT_NOT_FOUND: notFound('Client not found'),
  CLIENT_HAS_PROJECTS: conflict('Client has projects', 'Delete its projects first.'),

  CLIENT_ID_AND_PROJECT_NAME_REQUIRED: badRequest('Client ID & Project name required'),
  INVALID_DURATION: badRequest(
    'Invalid duration',
    '`duration` must be a whole number of months from 1 to 12.',
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
    'It cannot be changed after the first activation, or in a project with more than 100 licenses. Create another project instead.',
  ),
  PROJECT_HAS_ACTIVE_LICENSES: conflict(
    'Project has active licenses',
    'Revoke them first or wait for them to expire.',
  ),
  PROJECT_CREATION_FAILED: failure('Failed to create project and license'),

  BIN_ENTRY_NOT_FOUND: notFound('Not in the bin'),
  PARENT_DELETED: conflict('Parent has been deleted', 'Restore the record in `parent` first.'),

  PLAN_NOT_FOUND: notFound('Plan not found'),
  PLAN_QUOTA_REACHED: denied(
    'Plan quota reached',
    'An account can have at most 1,000 plans. Delete one first.',
  ),
  PLAN_NAME_REQUIRED: badRequest('Plan name required'),
  PLAN_NAME_TAKEN: conflict('Plan with this name already exists'),
  PLAN_OF_ANOTHER_PRODUCT: conflict(
    'Plan is for a different product',
    'Use a plan for the product of this project, or a plan for any product.',
  ),

  LICENSE_KEY_REQUIRED: badRequest('License key is required'),
  FINGERPRINT_REQUIRED: badRequest(
    'Fingerprint is required',
    'Send a fingerprint that identifies the machine, 16 to 256 characters long.',
  ),
  FINGERPRINT_INVALID: badRequest(
    'Fingerprint does not identify a machine',
    'Many machines report this placeholder. Derive the fingerprint from an id that is unique to this machine.',
  ),
  PRODUCT_REQUIRED: badRequest(
    'Product is required',
    "Send the product's label or the project's id.",
  ),
  LICENSE_NOT_FOUND: notFound('License not found'),
  LICENSE_REVOKED: denied('License has been revoked'),
  LICENSE_EXPIRED: denied('License has expired'),
  LICENSE_SUSPENDED: denied('License is suspended', 'Ask the vendor to resume it.'),
  LICENSE_ON_ANOTHER_MACHINE: denied('License already activated on another machine'),
  MACHINE_LIMIT_REACHED: denied(
    'Machine limit reached',
    "Release one of the license's machines first.",
  ),
  TRIAL_USED: denied(
    'Trial already used on this machine',
    'A machine can activate only one license of this plan.',
  ),
  RELEASE_NOT_ALLOWED: denied(
    'Release is not allowed',
    'Only the vendor can release machines of this license.',
  ),
  RELEASE_LIMIT_REACHED: denied(
    'Release limit reached',
    'Too many machines released their seats in the last 30 days. Ask the vendor to release this machine.',
  ),
  CERTIFICATE_OUTSTANDING: conflict(
    'A certificate for this machine is still valid',
    'It was issued for offline activation. Ask the vendor to release the machine.',
  ),
  PORTAL_NOT_FOUND: notFound('Portal not found', 'Check the address, or ask your vendor for it.'),
  PORTAL_NOT_CONFIGURED: conflict(
    'The service has no customer portal',
    'The operator must set PORTAL_URL first.',
  ),
  PORTAL_OFF: conflict('The customer portal is off', 'Turn it on in the portal settings.'),
  PORTAL_SESSION_ENDED: unauthorized('You are signed out', 'Sign in again to continue.'),
  MACHINE_NOT_FOUND: notFound(
    'Machine not found',
    'This machine does not hold a seat on this license.',
  ),
  LICENSE_HAS_NO_LEASES: conflict(
    'License has no leases',
    'Machines hold their seats until they are released, so heartbeats are not needed.',
  ),
  LICENSE_NOT_ACTIVATED: conflict(
    'License has not been activated',
    'Activate it on a machine first.',
  ),
  LICENSE_ALREADY_REVOKED: conflict(
    'License has already been revoked',
    'Revocation is permanent. Issue a new license for the project.',
  ),
  LICENSE_TERM_TOO_LONG: conflict(
    'License term is too long',
    'A license can expire at most 3,660 days from now.',
  ),
  LICENSE_IS_PERPETUAL: conflict(
    'License is perpetual',
    'It never expires. Set `expiresAt` to give it an expiry date.',
  ),
  UPDATES_UNLIMITED: conflict(
    'License has unlimited updates',
    'Set `updatesUntil` first to limit them.',
  ),
  TERM_REQUIRED: conflict(
    'Term required',
    'The license has no time left. Send `duration`, `days` or `perpetual` for the replacement.',
  ),
  LICENSE_EXISTS: conflict(
    'License with this external id already exists',
    'Its id is in `licenseId`.',
  ),
  MACHINES_IN_USE: conflict(
    'Too many machines in use',
    'More machines hold a seat than `maxMachines` would allow. Release some first.',
  ),
  LICENSE_TERM_ENDED: conflict('License term has expired', 'Renew the license first.'),
  LICENSE_BOUND_ELSEWHERE: conflict(
    'License is bound to another machine',
    'Reissue the license for this machine.',
  ),
  LICENSE_OF_ANOTHER_PRODUCT: conflict(
    'License is for a different product',
    "Send the product label of the license's project, or the project's id.",
  ),
  IMPORT_OFF: denied(
    'Import is off',
    'Anyone can register here, so only the operator of this service can import licenses. The operator can allow imports with IMPORT=true.',
  ),
  ...IMPORT_ERRORS,
  SIGNING_KEY_NOT_CURRENT: conflict(
    'Signing key is not the current one',
    'Get the current one from GET /signing-keys.',
  ),
  RETIRED_KEY_QUOTA_REACHED: denied(
    'Retired key quota reached',
    'An account can have at most 24 retired keys, each for 366 days. Rotate later, or set `compromised` if ' +
      'someone else may have the current key.',
  ),
  ACTIVATION_FAILED: failure('Activation failed'),
};

export type ErrorCode = keyof typeof ERRORS;
