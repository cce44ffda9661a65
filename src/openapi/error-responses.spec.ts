import type { DocumentedRoute } from './documented-routes.js';
import { errorCodesOf, type Input } from './error-responses.js';

const NO_INPUT = { hasBody: false, hasParameters: false };
const GENERAL = ['TOO_MANY_CONCURRENT_REQUESTS', 'VALIDATION_ERROR'];
const FAILURES = ['INTERNAL_ERROR', 'STORE_UNAVAILABLE'];
const BODY_ERRORS = ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'MALFORMED_JSON', 'BODY_TOO_DEEP'];

const codesOf = (traits: Partial<DocumentedRoute>, input: Partial<Input> = {}) => {
  const route: DocumentedRoute = {
    isPublic: true,
    isLimited: false,
    isShed: false,
    errors: [],
    errorShape: {},
    errorBody: { name: 'ErrorBody', oneOf: [] },
    ...traits,
  };
  return errorCodesOf(route, { ...NO_INPUT, ...input });
};

describe('errorCodesOf', () => {
  it('gives a public route without input the general errors alone', () => {
    expect(codesOf({})).toEqual(GENERAL);
  });

  it.each<[string, Partial<DocumentedRoute>, Partial<Input>, string[]]>([
    ['its own errors', { errors: ['SHUTTING_DOWN'] }, {}, ['SHUTTING_DOWN']],
    ['the rejection under overload', { isShed: true }, {}, ['OVERLOADED']],
    [
      'the errors of a missing token and of a failure',
      { isPublic: false },
      {},
      ['UNAUTHORIZED', ...FAILURES],
    ],
    ['the errors of a failure to a route with parameters', {}, { hasParameters: true }, FAILURES],
    ['the errors of an unreadable body', {}, { hasBody: true }, [...BODY_ERRORS, ...FAILURES]],
    [
      'the rejection by a rate limit, and the failure to count',
      { isLimited: true },
      {},
      ['TOO_MANY_REQUESTS', ...FAILURES],
    ],
  ])('adds %s', (_what, traits, input, added) => {
    const codes = codesOf(traits, input);
    expect(codes.filter((code) => !GENERAL.includes(code))).toEqual(added);
    expect(codes).toEqual(expect.arrayContaining(GENERAL));
  });

  it('lists them in the order of the checks, each once', () => {
    const traits = { isPublic: false, isLimited: true, isShed: true };
    const errors = ['LICENSE_NOT_FOUND', 'TOO_MANY_REQUESTS'] as const;
    expect(codesOf({ ...traits, errors }, { hasBody: true, hasParameters: true })).toEqual([
      'OVERLOADED',
      'TOO_MANY_CONCURRENT_REQUESTS',
      ...BODY_ERRORS,
      'TOO_MANY_REQUESTS',
      'UNAUTHORIZED',
      'LICENSE_NOT_FOUND',
      'VALIDATION_ERROR',
      ...FAILURES,
    ]);
    expect(codesOf({ ...traits, errors, isShed: false }, { hasBody: true })).toEqual([
      ...BODY_ERRORS,
      'TOO_MANY_CONCURRENT_REQUESTS',
      'TOO_MANY_REQUESTS',
      'UNAUTHORIZED',
      'LICENSE_NOT_FOUND',
      'VALIDATION_ERROR',
      ...FAILURES,
    ]);
  });

  it('replaces the codes of failures by the prescribed one, an unavailable store included', () => {
    const errorShape = { unexpected: 'ACTIVATION_FAILED' } as const;
    expect(codesOf({ isPublic: false, errorShape })).toEqual([
      'TOO_MANY_CONCURRENT_REQUESTS',
      'UNAUTHORIZED',
      'VALIDATION_ERROR',
      'ACTIVATION_FAILED',
    ]);
  });
});
