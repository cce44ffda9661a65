import {
  badRequest,
  conflict,
  denied,
  notFound,
  tooManyRequests,
  unauthorized,
} from './error-kinds.js';

/** The errors of second factors and confirmations. */
export const FACTOR_ERRORS = {
  FACTOR_REQUIRED: denied(
    'Second factor required',
    'Send one of `factors`: the `totp` code of your authenticator app, a `passkey`, or a `recovery_code`.',
  ),
  WRONG_FACTOR: denied(
    'Second factor was not accepted',
    'Each code works only once. An authenticator app shows a new one every 30 seconds.',
  ),
  TOO_MANY_WRONG_CODES: tooManyRequests(
    'Too many wrong codes',
    'Use a passkey, or try again after the number of seconds in the Retry-After header.',
  ),
  INVALID_CHALLENGE: unauthorized(
    'Sign-in has expired',
    'You have 5 minutes and 5 attempts. Log in with your password again.',
  ),
  STEP_UP_REQUIRED: denied(
    'Confirmation required',
    'Confirm at POST /auth/step-up with one of `factors`, or with your password if there are none. A confirmation lasts 10 minutes.',
  ),
  FACTOR_SETUP_REQUIRED: denied(
    'Set up a second factor first',
    'The account requires one. Add an authenticator app or a passkey.',
  ),
  FACTOR_NOT_FOUND: notFound('Second factor not found'),
  TOTP_EXISTS: conflict('Authenticator app is already set up', 'Remove it first.'),
  TOTP_NOT_STARTED: conflict(
    'Authenticator app is not being set up',
    'Start with POST /auth/factors/totp in the same session.',
  ),
  PASSKEY_QUOTA_REACHED: denied(
    'Passkey quota reached',
    'A login can have at most 10 passkeys. Remove one first.',
  ),
  PASSKEY_REJECTED: badRequest(
    'Passkey was not accepted',
    'Request new options and create it again within 5 minutes.',
  ),
  PASSKEYS_OFF: conflict(
    'Passkeys are off',
    'The operator turns them on by setting PUBLIC_URL to an https address with a domain.',
  ),
};
