import { STATUS_CODES } from 'node:http';
import type { DocumentedRoute } from './documented-route.js';
import { errorCodesOf } from './error-codes-of.js';
import { errorResponses } from './error-responses.js';
import { headersOf } from './headers.js';
import type { Operation, Response, Responses } from './openapi-types.js';
import { bodySchemaOf, type Schemas } from './request-body.js';

/** Adds what follows from how the route is declared: security, errors, headers, an optional body. */
export function completeOperation(
  operation: Operation,
  route: DocumentedRoute,
  schemas: Schemas,
): Operation {
  const body = bodySchemaOf(operation, schemas);
  const fields = [...parameterNames(operation), ...Object.keys(body?.properties ?? {})];
  const codes = errorCodesOf(route, {
    hasBody: body !== undefined,
    hasParameters: (operation.parameters ?? []).length > 0,
  });
  const responses = { ...operation.responses, ...errorResponses(codes, route, fields) };
  return {
    ...operation,
    ...(body && { requestBody: { ...operation.requestBody, required: !!body.required } as never }),
    responses: withHeaders(responses, route),
    security: route.isPublic ? [] : [{ bearer: [] }],
  };
}

function parameterNames({ parameters = [] }: Operation): string[] {
  return parameters.map((parameter) => ('name' in parameter ? parameter.name : ''));
}

function withHeaders(responses: Responses, { isLimited, errorShape }: DocumentedRoute): Responses {
  const hidesOutages = errorShape.unexpected !== undefined;
  return Object.fromEntries(
    Object.entries(responses as Record<string, Response>).map(([status, response]) => [
      status,
      {
        ...response,
        description: response.description || String(STATUS_CODES[status]),
        headers: headersOf(Number(status), { isLimited, hidesOutages }),
      },
    ]),
  );
}
