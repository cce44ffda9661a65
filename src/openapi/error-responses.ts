import { ERRORS, type ErrorCode } from '../shared/errors/error-codes.js';
import type { DocumentedRoute } from './documented-route.js';
import type { Responses } from './openapi-types.js';
import { exampleEntry } from './shared-examples.js';

/**
 * The responses to errors, one a status, with an example of each code.
 *
 * @param fields what the route takes
 */
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
                ofStatus.map((code) => [code, exampleEntry(code, { shape: errorShape, fields })]),
              ),
            },
          },
        },
      ];
    }),
  );
}
