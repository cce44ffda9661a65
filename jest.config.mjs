import { availableParallelism } from 'node:os';

// Jest runs CommonJS on Node 20 and 22, so packages that are ES modules, or import one at run time, are transformed too.
const TRANSFORMED = [
  '@nestjs',
  '@borewit',
  '@noble',
  '@scure',
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

/** The settings of every project. @type {import('jest').Config} */
export const common = {
  // Names the cache folder, so that all projects share transformed files.
  id: 'license-management-service',
  rootDir: import.meta.dirname,
  setupFiles: ['reflect-metadata'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json', 'node'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // One file each instead of hundreds, which jest would load again for each spec.
    '^rxjs(/operators)?$': '<rootDir>/node_modules/rxjs/dist/bundles/rxjs.umd.js',
    '^class-validator$': '<rootDir>/node_modules/class-validator/bundles/class-validator.umd.js',
    '^es-toolkit/compat$': '<rootDir>/node_modules/es-toolkit/dist/browser.global.js',
  },
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

/** For the projects that also start many stores. */
const withStores = { ...withMongod, globalSetup: '<rootDir>/test/set-up/stores.ts' };

const E2E = '<rootDir>/test/**/*.e2e-spec.ts';

const { TEST_SCOPE } = process.env;

/** Files that the default scope skips: see test/scope.ts. */
const OF_FULL_SCOPE = [
  // The scenarios and vectors of the SDK for Node are in every scope.
  'test/sdk/(c|certificates|languages|outage|service)\\.',
  'sdk/node/tests/package\\.',
  'test/smoke/(?!first-start|kill\\.)',
];

/** A jest project without the files outside this scope. */
const project = ({ testPathIgnorePatterns = [], ...config }) => ({
  ...common,
  ...config,
  testPathIgnorePatterns: [...testPathIgnorePatterns, ...(TEST_SCOPE ? [] : OF_FULL_SCOPE)],
});

const BUILT_PROGRAM = {
  ...withStores,
  testMatch: [E2E],
  // Builds the current source; an older build may exist.
  globalSetup: '<rootDir>/test/set-up/build.ts',
};

/** @type {import('jest').Config} */
export default {
  testSequencer: '<rootDir>/test/set-up/longest-first.mjs',
  // Each test file leaves modules in memory, which slows the next ones, so idle workers above this size are restarted.
  workerIdleMemoryLimit: '300MB',
  // By default, jest leaves a core to its watcher, which is not used here. In the full scope, many tests wait for other processes.
  maxWorkers: availableParallelism() + (TEST_SCOPE === 'full' ? 2 : 0),
  // Enough for a slow machine under load that also builds an SDK. No test waits for time to pass.
  testTimeout: 300_000,
  // In the order of their set-ups: the first one starts everything slow in parallel.
  projects: [
    project({
      ...BUILT_PROGRAM,
      displayName: 'smoke',
      roots: ['<rootDir>/test/smoke', '<rootDir>/test/sdk'],
    }),
    project({
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/contract/', '<rootDir>/test/sdk/'],
    }),
    project({
      displayName: 'sdk',
      roots: ['<rootDir>/test/sdk', '<rootDir>/sdk/node/tests'],
      testMatch: ['<rootDir>/{test/sdk,sdk/node/tests}/**/*.spec.ts'],
      // Other processes run the SDK as it is published.
      globalSetup: '<rootDir>/test/set-up/sdk.ts',
      globalTeardown: withMongod.globalTeardown,
    }),
    project({
      ...withStores,
      displayName: 'contract',
      roots: ['<rootDir>/test/contract'],
      testMatch: ['<rootDir>/test/contract/**/*.spec.ts'],
    }),
    project({
      ...withStores,
      displayName: 'e2e',
      roots: ['<rootDir>/test/e2e'],
      testMatch: [E2E],
    }),
    ...(TEST_SCOPE === 'full'
      ? [
          project({
            ...BUILT_PROGRAM,
            displayName: 'console',
            roots: ['<rootDir>/test/console'],
            globalSetup: '<rootDir>/test/set-up/console.ts',
          }),
        ]
      : []),
  ],
};
