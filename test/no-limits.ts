import type { Quotas } from '../src/shared/config/config.js';
import { VARIABLES } from '../src/shared/config/environment.js';

/** No quotas, for tests that need no whole configuration. */
export const NO_QUOTAS: Quotas = {
  clients: 0,
  projects: 0,
  licenses: 0,
  machines: 0,
  idempotencyRecords: 0,
};

/** Turns every limit and quota off, for tests of other things. */
export const NO_LIMITS = Object.fromEntries(
  Object.keys(VARIABLES)
    .filter((name) => /_(LIMIT|QUOTA)$/.test(name))
    .map((name) => [name, '0']),
);
