import { common, withMongod } from '../../jest.config.mjs';

/** @type {import('jest').Config} */
export default {
  ...common,
  ...withMongod,
  testMatch: ['<rootDir>/test/prove/**/*.proof.ts'],
  // Two hours: each proof ends by itself, by its number of rounds.
  testTimeout: 7_200_000,
};
