import { common, withMongod } from '../../jest.config.mjs';

/** @type {import('jest').Config} */
export default {
  ...common,
  ...withMongod,
  // The short form keeps its stores in memory, if there is room.
  ...(process.env.PROVE_FORM === 'short' && { globalSetup: '<rootDir>/test/set-up/stores.ts' }),
  roots: ['<rootDir>/test/prove'],
  testMatch: ['<rootDir>/test/prove/**/*.proof.ts'],
  // Two hours: each proof ends on its own after its rounds.
  testTimeout: 7_200_000,
};
