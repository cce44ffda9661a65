import { ERRORS, type ErrorCode } from '../shared/errors/error-codes.js';
import type { DocumentedRoute } from './documented-routes.js';
import { exampleEntry } from './error-examples.js';
import type { Responses } from './openapi-types.js';

export interface Input {
  readonly hasBody: boolean;
  readonly hasParameters: boolean;
}

/** The codes of all errors that a route can respond with, in the order of its checks. */
export function errorCodesOf(route: DocumentedRoute, input: Input): ErrorCode[] {
  const { isPublic, isLimited, isShed, errors } = route;
  // A public route without input and limit, such as a health check, can reject only an unknown query parameter.
  const hasWork = !isPublic || isLimited || input.hasBody || input.hasParameters;
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

/** A prescribed response to failures includes an unavailable store. */
function failuresOf({ errorShape }: DocumentedRoute): ErrorCode[] {
  return errorShape.unexpected ? [errorShape.unexpected] : ['INTERNAL_ERROR', 'STORE_UNAVAILABLE'];
}

/** The error responses of a route, one for each status, with an example of each code. */
export function errorResponses(
  codes: readonly ErrorCode[],
  { errorBody, errorShape }: DocumentedRoute,
  fields: readonly string[],
): Responses {
  const statuses = new Set(codes.map((code) => ERRORS[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const ofStatus = codes.filter((code) => ERRORS[code].status === status);
      return [
        String(status),
        {
          description: ofStatus.map((code) => `\`${ERRORS[code].message}\` (${code})`).join(', '),
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/${errorBody.name}` },
              examples: Object.fromEntries(
                ofStatus.map((code) => [code, exampleEntry(code, errorShape, fields)]),
              ),
            },
          },
        },
      ];
    }),
  );
}
