// Mutation testing of the core, on demand, with Node 22 or newer; CONTRIBUTING.md has the command.
import { common } from './jest.config.mjs';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [
    'src/activation/decisions.ts',
    'src/activation/machine-identity.ts',
    'src/activation/unknown-key-limiter.ts',
    'src/activation/validation-limiter.ts',
    'src/licenses/license.ts',
    'src/licenses/license-event.ts',
    'src/licenses/license-key.service.ts',
    'src/licenses/license-transitions.ts',
    'src/shared/time/add-months.ts',
  ],
  // None is needed, and Stryker would need the compiler to read one.
  tsconfigFile: 'none',
  ignorePatterns: ['/sdk/target'],
  testRunner: 'jest',
  jest: {
    config: {
      ...common,
      rootDir: undefined,
      testMatch: ['<rootDir>/src/{activation,licenses,shared/time}/**/*.spec.ts'],
    },
  },
  coverageAnalysis: 'perTest',
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false },
};
