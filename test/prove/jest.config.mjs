import { common, withMongod } from '../../jest.config.mjs';

/** @type {import('jest').Config} */
export default {
  ...common,
  ...withMongod,
  // The short form has its stores in memory, where there is room.
  ...(process.env.PROVE_FORM === 'short' && { globalSetup: '<rootDir>/test/set-up/stores.ts' }),
  testMatch: ['<rootDir>/test/prove/**/*.proof.ts'],
  // Two hours: each proof ends by itself, by its number of rounds.
  testTimeout: 7_200_000,
};
