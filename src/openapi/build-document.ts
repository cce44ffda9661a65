import { STATUS_CODES } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { DESCRIPTION } from './description.js';
import { type DocumentedRoute, documentedRoutes } from './documented-routes.js';
import { sharedExamples } from './error-examples.js';
import { errorCodesOf, errorResponses } from './error-responses.js';
import { HEADERS, headersOf } from './headers.js';
import type { Operation, Response, Schema } from './openapi-types.js';

type Schemas = Readonly<Record<string, Schema>>;
type ObjectSchema = Extract<Schema, { required?: string[] }>;

/**
 * The OpenAPI 3.0 document of the application: what @nestjs/swagger generates from the controllers and DTOs,
 * completed by what follows from how each route is declared.
 */
export function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const routes = documentedRoutes(app);
  const errorBodies = [...routes.values()].map(({ errorBody }) => errorBody);
  const document = SwaggerModule.createDocument(app, DESCRIPTION, {
    extraModels: [...new Set(errorBodies.flatMap(({ oneOf }) => oneOf))],
    operationIdFactory: (_controller, method) => method,
  });
  const unions = errorBodies
    .filter(({ oneOf }) => oneOf.length > 1)
    .map(
      ({ name, oneOf }) =>
        [name, { oneOf: oneOf.map((type) => ({ $ref: getSchemaPath(type) })) }] as const,
    );
  const schemas: Schemas = { ...document.components?.schemas, ...Object.fromEntries(unions) };
  const paths = mapValues(document.paths, (item) =>
    mapValues(item as Record<string, Operation>, (operation) =>
      completeOperation(operation, routes.get(operation.operationId!)!, schemas),
    ),
  );
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      headers: HEADERS,
      examples: sharedExamples(paths),
      schemas,
    },
  };
}

function completeOperation(operation: Operation, route: DocumentedRoute, schemas: Schemas) {
  const { parameters = [] } = operation;
  const body = bodySchemaOf(operation, schemas);
  const codes = errorCodesOf(route, {
    hasBody: body !== undefined,
    hasParameters: parameters.length > 0,
  });
  const fields = [
    ...parameters.map((parameter) => ('name' in parameter ? parameter.name : '')),
    ...Object.keys(body?.properties ?? {}),
  ];
  const responses = { ...operation.responses, ...errorResponses(codes, route, fields) };
  return {
    ...operation,
    ...(body && { requestBody: { ...operation.requestBody, required: !!body.required } as never }),
    responses: mapValues(responses as Record<string, Response>, (response, status) => ({
      ...response,
      description: response.description || String(STATUS_CODES[status]),
      headers: headersOf(Number(status), route),
    })),
    security: route.isPublic ? [] : [{ bearer: [] }],
  };
}

function bodySchemaOf({ requestBody }: Operation, schemas: Schemas): ObjectSchema | undefined {
  if (!requestBody || !('content' in requestBody)) return undefined;
  const schema = requestBody.content['application/json']?.schema;
  if (!schema || !('$ref' in schema)) return schema;
  return schemas[schema.$ref.replace('#/components/schemas/', '')] as ObjectSchema | undefined;
}

const mapValues = <T, R>(record: Record<string, T>, change: (value: T, key: string) => R) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
