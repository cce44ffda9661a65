import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import type { ErrorBodySchema } from './decorators/api-errors.decorator.js';
import type { DocumentedRoute } from './documented-route.js';
import type { Schema } from './openapi-types.js';

/** The classes of all error bodies. */
export function errorBodyModels(routes: Iterable<DocumentedRoute>): Type<unknown>[] {
  return [...new Set([...routes].flatMap(({ errorBody }) => errorBody.oneOf))];
}

/** The components that stand for several bodies, by their names. */
export function errorBodyUnions(routes: Iterable<DocumentedRoute>): Record<string, Schema> {
  return Object.fromEntries(
    [...routes]
      .filter(({ errorBody }) => isUnion(errorBody))
      .map(({ errorBody }) => [
        errorBody.name,
        { oneOf: errorBody.oneOf.map((type) => ({ $ref: getSchemaPath(type) })) },
      ]),
  );
}

const isUnion = ({ oneOf }: ErrorBodySchema) => oneOf.length > 1;
