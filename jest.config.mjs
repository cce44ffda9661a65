import { availableParallelism } from 'node:os';

// Jest runs CommonJS on Node 20 and 22, so packages that are ES modules, or import one at run time, are transformed too.
const TRANSFORMED = [
  '@nestjs',
  '@borewit',
  '@tokenizer',
  'content-disposition',
  'cookie',
  'file-type',
  'glob',
  'lru-cache',
  'mongodb',
  'p-limit',
  'strtok3',
  'token-types',
  'uint8array-extras',
  'yocto-queue',
];

/** What every project has in common. @type {import('jest').Config} */
export const common = {
  // The projects share what was transformed: the name of its folder is made of this.
  id: 'license-management-service',
  rootDir: import.meta.dirname,
  setupFiles: ['reflect-metadata'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json', 'node'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Of nested node_modules folders, the innermost names the package.
  transformIgnorePatterns: [`/node_modules/(?!.*/node_modules/)(?!(${TRANSFORMED.join('|')})/)`],
  transform: {
    '\\.(ts|m?js)$': [
      '@swc/jest',
      {
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: false,
          },
        },
      },
    ],
  },
};

/** For the projects that need a mongod. */
export const withMongod = {
  globalSetup: '<rootDir>/test/set-up/mongod.ts',
  globalTeardown: '<rootDir>/test/set-up/tear-down.ts',
};

/** For the projects that start many stores, too. */
const withStores = { ...withMongod, globalSetup: '<rootDir>/test/set-up/stores.ts' };

const E2E = '<rootDir>/test/**/*.e2e-spec.ts';

/** @type {import('jest').Config} */
export default {
  // Each test file leaves modules in memory, which slow the next ones: an idle worker above this size is restarted.
  workerIdleMemoryLimit: '300MB',
  // jest leaves a core to its watcher, which is not used here. In the full scope, many tests wait for other processes.
  maxWorkers: availableParallelism() + (process.env.TEST_SCOPE === 'full' ? 2 : 0),
  // What a slow machine under load may take, with the build of an SDK; no test waits for time to pass.
  testTimeout: 300_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/contract/', '<rootDir>/test/sdk/'],
    },
    {
      ...common,
      displayName: 'sdk',
      roots: ['<rootDir>/test/sdk'],
      testMatch: ['<rootDir>/test/sdk/**/*.spec.ts'],
      // Other processes run the SDK as it is published.
      globalSetup: '<rootDir>/test/set-up/sdk.ts',
      globalTeardown: withMongod.globalTeardown,
    },
    {
      ...common,
      ...withStores,
      displayName: 'contract',
      roots: ['<rootDir>/test/contract'],
      testMatch: ['<rootDir>/test/contract/**/*.spec.ts'],
    },
    {
      ...common,
      ...withStores,
      displayName: 'e2e',
      roots: ['<rootDir>/test/e2e', '<rootDir>/test/document'],
      testMatch: [E2E],
    },
    {
      ...common,
      ...withStores,
      displayName: 'smoke',
      roots: ['<rootDir>/test/smoke', '<rootDir>/test/sdk'],
      testMatch: [E2E],
      // The built program: of this source, not of the last one that was built.
      globalSetup: '<rootDir>/test/set-up/build.ts',
    },
    {
      ...common,
      ...withStores,
      displayName: 'console',
      roots: ['<rootDir>/test/console'],
      testMatch: [E2E],
      globalSetup: '<rootDir>/test/set-up/console.ts',
    },
  ],
};
