import { common, withMongod } from '../jest.config.mjs';

/** @type {import('jest').Config} */
export default {
  ...common,
  // The stores are on disk.
  ...withMongod,
  roots: ['<rootDir>/bench'],
  testMatch: ['<rootDir>/bench/bench.ts'],
  testTimeout: 3_600_000,
};
