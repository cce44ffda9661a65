import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Access } from '../auth/access/operations.js';
import { DESCRIPTION } from './description.js';
import { documentedRoutes } from './documented-routes.js';
import { errorResponses } from './error-responses.js';
import { HEADERS, headersOf } from './headers.js';
import type { Body, Components, Operation, Response } from './openapi-types.js';

/**
 * The OpenAPI 3.0 document of the application: what @nestjs/swagger generates from the controllers and DTOs,
 * completed by what follows from how each route is declared.
 */
export function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, DESCRIPTION, {
    operationIdFactory: (_controller, method) => method,
  });
  const { schemas = {} } = document.components!;
  const shared: Components = { examples: {}, responses: {} };
  const routes = documentedRoutes(app);
  const items = Object.values(document.paths) as Record<string, Operation>[];
  for (const operation of items.flatMap((item) => Object.values(item))) {
    const declared = routes.get(operation.operationId!)!;
    const route = { ...declared, isLimited: declared.isLimited || '429' in operation.responses };
    const [[status, response]] = Object.entries(operation.responses) as [[string, Response]];
    const success = { ...response, headers: headersOf(Number(status), route) };
    operation.responses = { [status]: success, ...errorResponses(operation, route, shared) };
    operation.security = route.isPublic ? [] : [{ bearer: [] }];
    if (route.access) Object.assign(operation, extensionsOf(route.access));
    const body = operation.requestBody as Body | undefined;
    if (!body) continue;
    const { $ref } = body.content['application/json']!.schema as { $ref: string };
    body.required = 'required' in schemas[$ref.split('/').at(-1)!]!;
  }
  return { ...document, components: { ...document.components, headers: HEADERS, ...shared } };
}

/** Who may call an operation: without scopes it takes the access token of a session. */
const extensionsOf = ({ role, scopes }: Access) => ({
  'x-required-role': role,
  ...(scopes.length > 0 && { 'x-required-scope': [...scopes] }),
});
