import type { Quotas } from '../src/shared/config/config.js';

/** No quotas, for tests that need no whole configuration. */
export const NO_QUOTAS: Quotas = { clients: 0, projects: 0, licenses: 0, idempotencyRecords: 0 };

/** Turns every limit and quota off, for tests of other things. */
export const NO_LIMITS = {
  ACTIVATION_LIMIT: '0',
  VALIDATION_LIMIT: '0',
  VALIDATION_ADDRESS_LIMIT: '0',
  UNKNOWN_KEY_LIMIT: '0',
  LOGIN_LIMIT: '0',
  REGISTER_LIMIT: '0',
  REFRESH_LIMIT: '0',
  KEY_SET_LIMIT: '0',
  WRITE_LIMIT: '0',
  EMAIL_CONFLICT_LIMIT: '0',
  CLIENT_QUOTA: '0',
  PROJECT_QUOTA: '0',
  LICENSE_QUOTA: '0',
  IDEMPOTENCY_QUOTA: '0',
};
