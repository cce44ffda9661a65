import { type ErrorCode, ERRORS } from './error-codes.js';

/** The status and message of these codes. */
const textsOf = (of: object) =>
  Object.fromEntries(
    (Object.keys(of) as ErrorCode[]).map((code) => [
      code,
      `${ERRORS[code].status} ${ERRORS[code].message}`,
    ]),
  );

describe('the error table', () => {
  it.each<[string, Partial<Record<ErrorCode, string>>]>([
    [
      'POST /clients',
      {
        CLIENT_NAME_REQUIRED: '400 Client name required',
        CLIENT_EMAIL_REQUIRED: '400 Client email required',
        CLIENT_EMAIL_TAKEN: '409 Client with this email already exists',
        VALIDATION_ERROR: '400 Validation error',
        UNAUTHORIZED: '401 Unauthorized',
        INTERNAL_ERROR: '500 Internal server error',
      },
    ],
    [
      'POST /projects/createProject',
      {
        CLIENT_ID_AND_PROJECT_NAME_REQUIRED: '400 Client ID & Project name required',
        INVALID_DURATION: '400 Invalid duration',
        SERVICES_REQUIRED: '400 At least one service is required',
        CLIENT_NOT_FOUND: '404 Client not found',
        PROJECT_CREATION_FAILED: '500 Failed to create project and license',
      },
    ],
    [
      'POST /validate/activate',
      {
        LICENSE_KEY_REQUIRED: '400 License key is required',
        LICENSE_NOT_FOUND: '404 License not found',
        LICENSE_REVOKED: '403 License has been revoked',
        LICENSE_EXPIRED: '403 License has expired',
        LICENSE_ON_ANOTHER_MACHINE: '403 License already activated on another machine',
        ACTIVATION_FAILED: '500 Activation failed',
      },
    ],
  ])('has the exact texts of the specification for %s', (_route, texts) => {
    expect(textsOf(texts)).toEqual(texts);
  });

  it.each<[string, Partial<Record<ErrorCode, string>>]>([
    ['POST /validate', { PRODUCT_REQUIRED: '400 Product is required' }],
    ['PATCH /projects/:id', { PROJECT_HAS_PRODUCT: '409 Project already has a product' }],
    [
      'POST /licenses/:id/certificates',
      {
        FINGERPRINT_REQUIRED: '400 Fingerprint is required',
        LICENSE_ALREADY_REVOKED: '409 License has already been revoked',
        LICENSE_TERM_ENDED: '409 License term has ended',
        LICENSE_BOUND_ELSEWHERE: '409 License is bound to another machine',
        LICENSE_OF_ANOTHER_PRODUCT: '409 License is for another product',
      },
    ],
    [
      'POST /signing-keys/rotate',
      {
        SIGNING_KEY_NOT_CURRENT: '409 Signing key is not the current one',
        RETIRED_KEY_QUOTA_REACHED: '403 Retired key quota reached',
      },
    ],
  ])('has the texts that software relies on for %s', (_route, texts) => {
    expect(textsOf(texts)).toEqual(texts);
  });

  it.each(Object.entries(ERRORS))('%s is an error status with one line of text', (code, error) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(error.status).toBeGreaterThanOrEqual(400);
    expect(error.status).toBeLessThan(600);
    expect(error.message).toMatch(/^[A-Z].*[^.]$/);
  });
});
