import type { Schema } from './openapi-document.js';

/**
 * A schema, or all that is in a part of the document, as JSON Schema that rejects every property that
 * it does not list, and takes null for what is nullable by reference.
 */
export function closed<T>(part: T): T {
  if (Array.isArray(part)) return part.map(closed) as T;
  if (typeof part !== 'object' || part === null) return part;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, closed(value as unknown)]),
  ) as Schema;
  const schema = isObjectSchema(rest) ? { additionalProperties: false, ...rest } : rest;
  if (!nullable) return schema as T;
  return { anyOf: [{ type: 'null' }, schema] } as T;
}

const isObjectSchema = ({ type, properties }: Schema) =>
  type === 'object' && typeof properties === 'object';
