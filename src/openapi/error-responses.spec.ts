import type { DocumentedRoute } from './documented-routes.js';
import { errorCodesOf } from './error-responses.js';

const NOTHING = { hasBody: false, hasParameters: false };
const GENERAL = 'TOO_MANY_CONCURRENT_REQUESTS';
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
  it('gives a public route without input its own errors and the general ones', () => {
    expect(errorCodesOf(route({ errors: ['SHUTTING_DOWN'] }), NOTHING)).toEqual([
      GENERAL,
      'SHUTTING_DOWN',
      'VALIDATION_ERROR',
    ]);
  });

  it('puts the rejection under overload first', () => {
    expect(errorCodesOf(route({ isShed: true, isPublic: false }), NOTHING)).toEqual([
      'OVERLOADED',
      GENERAL,
      'UNAUTHORIZED',
      'VALIDATION_ERROR',
      ...FAILURES,
    ]);
  });

  it('adds the errors of a missing token and of a failure', () => {
    expect(errorCodesOf(route({ isPublic: false }), NOTHING)).toEqual([
      GENERAL,
      'UNAUTHORIZED',
      'VALIDATION_ERROR',
      ...FAILURES,
    ]);
  });

  it('adds the error of an invalid parameter', () => {
    expect(errorCodesOf(route({}), { hasBody: false, hasParameters: true })).toEqual([
      GENERAL,
      'VALIDATION_ERROR',
      ...FAILURES,
    ]);
  });

  it('adds the errors of an unreadable body', () => {
    expect(errorCodesOf(route({}), { hasBody: true, hasParameters: false })).toEqual([
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'MALFORMED_JSON',
      'BODY_TOO_DEEP',
      GENERAL,
      'VALIDATION_ERROR',
      ...FAILURES,
    ]);
  });

  it('adds the rejection by a rate limit, and lists each code once', () => {
    expect(
      errorCodesOf(route({ isLimited: true, errors: ['TOO_MANY_REQUESTS'] }), NOTHING),
    ).toEqual([GENERAL, 'TOO_MANY_REQUESTS', 'VALIDATION_ERROR']);
  });

  it('replaces the codes of failures by the prescribed one, an unavailable store included', () => {
    const errorShape = { unexpected: 'ACTIVATION_FAILED' } as const;
    expect(errorCodesOf(route({ isPublic: false, errorShape }), NOTHING)).toEqual([
      GENERAL,
      'UNAUTHORIZED',
      'VALIDATION_ERROR',
      'ACTIVATION_FAILED',
    ]);
  });
});
