import { VARIABLES } from '../src/shared/config/environment.js';

/** Turns off every limit and quota, for tests that do not test them. */
export const NO_LIMITS = Object.fromEntries(
  Object.keys(VARIABLES)
    .filter((name) => /_(LIMIT|QUOTA)$/.test(name))
    .map((name) => [name, '0']),
);
