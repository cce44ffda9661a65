import { type OpenApiDocument, routesOf, type Schema } from './openapi-document.js';

/** A schema of the document, and where it is, such as `LicenseDto.services[]`. */
export interface Place {
  readonly place: string;
  readonly schema: Schema;
  /** Whether others refer to it by its name. */
  readonly isComponent: boolean;
}

/** Every schema of the document, those inside of others and those of parameters included. */
export function walkSchemas(document: OpenApiDocument): Place[] {
  const components = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    within(name, schema, true),
  );
  const parameters = routesOf(document).flatMap(({ operation }) =>
    (operation.parameters ?? []).flatMap(({ name, schema }) =>
      within(`${operation.operationId}(${name})`, schema, false),
    ),
  );
  return [...components, ...parameters];
}

function within(place: string, schema: Schema, isComponent: boolean): Place[] {
  const { properties = {}, items, additionalProperties } = schema;
  const inner: [string, Schema][] = Object.entries(properties).map(([name, property]) => [
    `${place}.${name}`,
    property,
  ]);
  if (items) inner.push([`${place}[]`, items]);
  if (typeof additionalProperties === 'object') inner.push([`${place}.*`, additionalProperties]);
  return [
    { place, schema, isComponent },
    ...inner.flatMap(([innerPlace, part]) => within(innerPlace, part, false)),
  ];
}
