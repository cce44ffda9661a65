import { badRequest, conflict } from './error-kinds.js';

/** Why a row of an import is rejected, besides errors that other operations share. */
export const IMPORT_ERRORS = {
  KEY_INVALID: badRequest(
    'License key cannot be imported',
    'A key must have 6 to 2,048 printable ASCII characters without spaces or quotes, and must not look like a key issued by this service.',
  ),
  KEY_TAKEN: conflict('License with this key already exists'),
  FIELD_INVALID: badRequest('Field is invalid', 'Its name is in `field`.'),
  EMAIL_MISSING: badRequest(
    'Client email is missing',
    'Add it, or set `allowMissingEmail` to import the client with a placeholder address.',
  ),
  STATUS_UNKNOWN: badRequest('Status is unknown', 'Map it to a documented status.'),
  DATE_INVALID: badRequest(
    'Date is invalid',
    'Send a timestamp like 2026-01-31T10:15:00.000Z. The name of the field is in `field`.',
  ),
  END_UNKNOWN: badRequest(
    'Expiry date is unknown',
    'Send `expiresAt`, a term or a plan. `expiresAt: null` makes the license perpetual.',
  ),
  END_TOO_FAR: conflict(
    'Expiry date is too far in the future',
    'A license can expire at most 3,660 days from now. `expiresAt: null` makes it perpetual.',
  ),
};
