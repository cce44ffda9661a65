import { ERRORS } from './error-codes.js';

const of = (...codes: (keyof typeof ERRORS)[]) =>
  codes.map((code) => `${ERRORS[code].status} ${ERRORS[code].message}`);

describe('the error table', () => {
  it('has the exact texts of the specification for POST /clients', () => {
    expect(
      of(
        'CLIENT_NAME_REQUIRED',
        'CLIENT_EMAIL_REQUIRED',
        'CLIENT_EMAIL_TAKEN',
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        'INTERNAL_ERROR',
      ),
    ).toEqual([
      '400 Client name required',
      '400 Client email required',
      '409 Client with this email already exists',
      '400 Validation error',
      '401 Unauthorized',
      '500 Internal server error',
    ]);
  });

  it('has the exact texts of the specification for POST /projects/createProject', () => {
    expect(
      of(
        'CLIENT_ID_AND_PROJECT_NAME_REQUIRED',
        'INVALID_DURATION',
        'SERVICES_REQUIRED',
        'CLIENT_NOT_FOUND',
        'PROJECT_CREATION_FAILED',
      ),
    ).toEqual([
      '400 Client ID & Project name required',
      '400 Invalid duration',
      '400 At least one service is required',
      '404 Client not found',
      '500 Failed to create project and license',
    ]);
  });

  it('has the exact texts of the specification for POST /validate/activate', () => {
    expect(
      of(
        'LICENSE_KEY_REQUIRED',
        'LICENSE_NOT_FOUND',
        'LICENSE_REVOKED',
        'LICENSE_EXPIRED',
        'LICENSE_ON_ANOTHER_MACHINE',
        'ACTIVATION_FAILED',
      ),
    ).toEqual([
      '400 License key is required',
      '404 License not found',
      '403 License has been revoked',
      '403 License has expired',
      '403 License already activated on another machine',
      '500 Activation failed',
    ]);
  });

  it.each(Object.entries(ERRORS))('%s is an error status with one line of text', (code, error) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(error.status).toBeGreaterThanOrEqual(400);
    expect(error.status).toBeLessThan(600);
    expect(error.message).toMatch(/^[A-Z].*[^.]$/);
  });
});
