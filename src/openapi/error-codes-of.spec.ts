import type { DocumentedRoute } from './documented-route.js';
import { errorCodesOf } from './error-codes-of.js';

const NOTHING = { hasBody: false, hasParameters: false };
const FAILURES = ['INTERNAL_ERROR', 'STORE_UNAVAILABLE'];

const route = (traits: Partial<DocumentedRoute>): DocumentedRoute => ({
  isPublic: true,
  isLimited: false,
  isShed: false,
  errors: [],
  errorShape: {},
  errorBody: { name: 'ErrorBody', oneOf: [] },
  ...traits,
});

describe('errorCodesOf', () => {
  it('gives a route that anyone may call, and that takes nothing, its own errors alone', () => {
    expect(errorCodesOf(route({ errors: ['SHUTTING_DOWN'] }), NOTHING)).toEqual(['SHUTTING_DOWN']);
  });

  it('adds what comes before all others where there is too much to do', () => {
    expect(errorCodesOf(route({ isShed: true, isPublic: false }), NOTHING)).toEqual([
      'OVERLOADED',
      'TOO_MANY_CONCURRENT_REQUESTS',
      'UNAUTHORIZED',
      ...FAILURES,
    ]);
  });

  it('adds what a missing token is answered with, and what a failure is', () => {
    expect(errorCodesOf(route({ isPublic: false }), NOTHING)).toEqual([
      'UNAUTHORIZED',
      ...FAILURES,
    ]);
  });

  it('adds what a wrong parameter is answered with', () => {
    expect(errorCodesOf(route({}), { hasBody: false, hasParameters: true })).toEqual([
      'VALIDATION_ERROR',
      ...FAILURES,
    ]);
  });

  it('adds what a body that cannot be read is answered with', () => {
    expect(errorCodesOf(route({}), { hasBody: true, hasParameters: false })).toEqual([
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'MALFORMED_JSON',
      'BODY_TOO_DEEP',
      'VALIDATION_ERROR',
      ...FAILURES,
    ]);
  });

  it('adds the refusal of a limit, and each code once', () => {
    expect(
      errorCodesOf(route({ isLimited: true, errors: ['TOO_MANY_REQUESTS'] }), NOTHING),
    ).toEqual(['TOO_MANY_REQUESTS']);
  });

  it('gives any failure the code that is prescribed, an unreachable store included', () => {
    const errorShape = { unexpected: 'ACTIVATION_FAILED' } as const;
    expect(errorCodesOf(route({ isPublic: false, errorShape }), NOTHING)).toEqual([
      'UNAUTHORIZED',
      'ACTIVATION_FAILED',
    ]);
  });
});
