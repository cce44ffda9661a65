// Mutation testing of the core, on demand, with Node 22 or newer; CONTRIBUTING.md has the command.
import { common } from './jest.config.mjs';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [
    'src/activation/decisions.ts',
    'src/machines/machine-id.provider.ts',
    'src/shared/time/calendar.ts',
    'src/licenses/license.ts',
    'src/licenses/license-key.service.ts',
    'src/licenses/license-transitions.ts',
    'src/machines/seat.ts',
    'src/limits/unknown-key-limiter.ts',
  ],
  // None is needed, and Stryker would need the compiler to read one.
  tsconfigFile: 'none',
  ignorePatterns: ['/sdk/target'],
  testRunner: 'jest',
  jest: {
    config: {
      ...common,
      rootDir: undefined,
      testMatch: ['<rootDir>/src/{activation,licenses,limits,machines}/**/*.spec.ts'],
    },
  },
  coverageAnalysis: 'perTest',
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false },
};
