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

/** @type {import('jest').Config} */
export default {
  testMatch: ['<rootDir>/{src,test}/**/*.{spec,e2e-spec}.ts'],
  globalSetup: '<rootDir>/test/mongod/global-setup.ts',
  globalTeardown: '<rootDir>/test/mongod/global-teardown.ts',
  // jest leaves a core to its watcher, which is not used here.
  maxWorkers: '100%',
  // What a machine under load may take; no test waits for time to pass.
  testTimeout: 120_000,
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
