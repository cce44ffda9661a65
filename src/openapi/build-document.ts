import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { completeDocument } from './complete-document.js';
import { DESCRIPTION } from './description.js';
import { documentedRoutes } from './documented-routes.js';
import { errorBodyModels } from './error-body-schema.js';

/** The OpenAPI 3.0 document of the application, generated from its controllers and DTOs. */
export function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const routes = documentedRoutes(app);
  const document = SwaggerModule.createDocument(app, DESCRIPTION, {
    extraModels: errorBodyModels(routes.values()),
  });
  return completeDocument(document, routes);
}
