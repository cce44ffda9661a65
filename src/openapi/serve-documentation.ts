import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { buildOpenApiDocument } from './build-document.js';

/** Serves the OpenAPI document at /docs-json, and Swagger UI at /docs. */
export function serveDocumentation(app: NestFastifyApplication): void {
  // Built on the first request: the routes are registered after this runs. All responses share one buffer.
  let document: ReturnType<typeof buildOpenApiDocument> | undefined;
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
