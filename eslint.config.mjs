import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const GUESSABLE_RANDOM = {
  object: 'Math',
  property: 'random',
  message: 'Keys, tokens and ids come from node:crypto.',
};
const ENVIRONMENT = {
  object: 'process',
  property: 'env',
  message: 'Only shared/config reads the environment.',
};

export default tseslint.config(
  // The admin client has a generated part, and its own strict build.
  {
    ignores: [
      'build/',
      '**/dist/',
      '**/target/',
      'coverage/',
      'data/',
      'examples/admin-client/',
      'console/src/api/{inputs,schema.d}.ts',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      // The ports are asynchronous; the SQLite engine has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // Nest modules are classes without members.
      '@typescript-eslint/no-extraneous-class': 'off',
      'max-lines': ['error', 300],
    },
  },
  {
    files: ['console/**/*.{ts,tsx}'],
    rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }] },
  },
  {
    // They look into responses of every shape; what shapes there are is what they test.
    files: ['test/{console,e2e,prove,smoke}/**/*.ts', 'test/contract/migrations/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        ...{
          process: 'readonly',
          console: 'readonly',
          URL: 'readonly',
          URLSearchParams: 'readonly',
          module: 'writable',
        },
        ...{ fetch: 'readonly', AbortSignal: 'readonly', performance: 'readonly' },
        Buffer: 'readonly',
      },
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-properties': ['error', GUESSABLE_RANDOM, ENVIRONMENT] },
  },
  {
    files: ['src/shared/config/**', 'src/main.ts', 'src/cli/**'],
    rules: { 'no-restricted-properties': ['error', GUESSABLE_RANDOM] },
  },
  prettier,
);
