import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Access } from '../auth/access/operations.js';
import { Config } from '../shared/config/config.js';
import { withServices } from './configured-services.js';
import { DESCRIPTION } from './description.js';
import { documentedRoutes } from './documented-routes.js';
import {
  type All,
  type Components,
  errorResponses,
  HEADERS,
  headersOf,
  type Operation,
  type Response,
} from './responses.js';

type SchemaObject = Extract<All['schemas'][string], { type?: unknown }>;
type Body = Extract<Operation['requestBody'], { content: object }>;

/** Serves the OpenAPI document at /docs-json, and Swagger UI at /docs. */
export function serveDocumentation(app: NestFastifyApplication): void {
  // Built on the first request, because routes are registered after this runs. All responses share one buffer.
  let document: OpenAPIObject | undefined;
  let json: Buffer | undefined;
  const build = () => (document ??= buildOpenApiDocument(app));
  app
    .getHttpAdapter()
    .getInstance()
    .get('/docs-json', (_request, reply) => {
      json ??= Buffer.from(JSON.stringify(build()));
      void reply.type('application/json; charset=utf-8').send(json);
    });
  SwaggerModule.setup('docs', app, build, { raw: false });
}

/**
 * The OpenAPI 3.0 document of the application: the output of @nestjs/swagger for the controllers and DTOs,
 * plus what follows from how each route is declared.
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
    const successes = Object.entries(operation.responses as Record<string, Response>)
      .filter(([status]) => Number(status) < 300)
      .map(([status, one]) => [status, { ...one, headers: headersOf(Number(status), route) }]);
    operation.responses = {
      ...(Object.fromEntries(successes) as Operation['responses']),
      ...errorResponses(operation, route, shared),
    };
    operation.security = route.isPublic ? [] : [{ bearer: [] }];
    if (route.access) Object.assign(operation, extensionsOf(route.access));
    const body = operation.requestBody as Body | undefined;
    if (!body) continue;
    const { $ref } = body.content['application/json']!.schema as { $ref: string };
    const schema = schemas[$ref.split('/').at(-1)!] as SchemaObject;
    body.required = 'required' in schema;
    schema.additionalProperties ??= false;
  }
  const components = { ...document.components, headers: HEADERS, ...shared };
  const { basePath, services } = app.get(Config);
  const servers = document.servers!.map((server) => ({ ...server, url: basePath || '/' }));
  return withServices({ ...document, servers, components }, services);
}

/** Who may call an operation. Without scopes, it requires the access token of a session. */
const extensionsOf = ({ role, scopes }: Access) => ({
  'x-required-role': role,
  ...(scopes.length > 0 && { 'x-required-scope': [...scopes] }),
});
