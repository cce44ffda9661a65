import type { ErrorCode } from '../shared/errors/error-codes.js';
import type { DocumentedRoute } from './documented-route.js';

/** What a route takes of its caller. */
export interface Input {
  readonly hasBody: boolean;
  readonly hasParameters: boolean;
}

/** The codes of all errors that a route can answer, in the order in which it looks for them. */
export function errorCodesOf(route: DocumentedRoute, input: Input): ErrorCode[] {
  const { isPublic, isLimited, isShed, errors } = route;
  // What anyone may call without any input, such as a health check, fails at nothing but a query.
  const hasWork = !isPublic || input.hasBody || input.hasParameters;
  return [
    ...new Set<ErrorCode>([
      ...(isShed ? (['OVERLOADED', 'TOO_MANY_CONCURRENT_REQUESTS'] as const) : []),
      ...(input.hasBody ? BODY_ERRORS : []),
      'TOO_MANY_CONCURRENT_REQUESTS',
      ...(isLimited ? (['TOO_MANY_REQUESTS'] as const) : []),
      ...(isPublic ? [] : (['UNAUTHORIZED'] as const)),
      ...errors,
      'VALIDATION_ERROR',
      ...(hasWork ? failuresOf(route) : []),
    ]),
  ];
}

const BODY_ERRORS = [
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MALFORMED_JSON',
  'BODY_TOO_DEEP',
] as const satisfies ErrorCode[];

/** Where one response to any failure is prescribed, an unreachable store is that one too. */
function failuresOf({ errorShape }: DocumentedRoute): ErrorCode[] {
  return errorShape.unexpected ? [errorShape.unexpected] : ['INTERNAL_ERROR', 'STORE_UNAVAILABLE'];
}
