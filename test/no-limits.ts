import { VARIABLES } from '../src/shared/config/environment.js';

/** Turns every limit and quota off, for tests of other things. */
export const NO_LIMITS = Object.fromEntries(
  Object.keys(VARIABLES)
    .filter((name) => /_(LIMIT|QUOTA)$/.test(name))
    .map((name) => [name, '0']),
);
