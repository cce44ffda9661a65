import type { OpenApiDocument, Schema } from './openapi-document.js';

/** The example of a schema: its own, or one that is made of those of its parts; undefined without. */
export function exampleOf(schema: Schema, document: OpenApiDocument): unknown {
  const { example, $ref, allOf, oneOf, properties, items, enum: values } = schema;
  if (example !== undefined) return example;
  if ($ref) return exampleOf(document.components.schemas[$ref.split('/').at(-1)!]!, document);
  const referred = allOf?.[0] ?? oneOf?.[0];
  if (referred) return exampleOf(referred, document);
  if (values) return values[0];
  if (items) {
    const item = exampleOf(items, document);
    return item === undefined ? undefined : [item];
  }
  if (!properties) return undefined;
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, exampleOf(property, document)]),
  );
}
