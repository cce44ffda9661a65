import type { OpenAPIObject } from '@nestjs/swagger';
import { completeOperation } from './complete-operation.js';
import type { DocumentedRoute } from './documented-route.js';
import { routeKey } from './documented-routes.js';
import { errorBodyUnions } from './error-body-schema.js';
import { HEADERS } from './headers.js';
import type { Operation, PathItem } from './openapi-types.js';
import { referredExamples } from './shared-examples.js';

/** The document with what the routes' decorators say beyond those of the library. */
export function completeDocument(
  document: OpenAPIObject,
  routes: ReadonlyMap<string, DocumentedRoute>,
): OpenAPIObject {
  const schemas = { ...document.components?.schemas, ...errorBodyUnions(routes.values()) };
  const complete = (path: string, item: PathItem): PathItem =>
    Object.fromEntries(
      Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
        const key = routeKey(method, path);
        const route = routes.get(key);
        if (!route) throw new Error(`No controller has the route ${key}`);
        return [method, completeOperation(operation, route, schemas)];
      }),
    );
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, complete(path, item)]),
  );
  const examples = referredExamples(paths);
  return {
    ...document,
    paths,
    components: { ...document.components, headers: HEADERS, examples, schemas },
  };
}
