import type { Operation, Schema } from './openapi-types.js';

export type Schemas = Readonly<Record<string, Schema>>;
type ObjectSchema = Extract<Schema, { required?: string[] }>;

/** The schema of an operation's body; undefined where it takes none. */
export function bodySchemaOf(
  { requestBody }: Operation,
  schemas: Schemas,
): ObjectSchema | undefined {
  if (!requestBody || !('content' in requestBody)) return undefined;
  const schema = requestBody.content['application/json']?.schema;
  if (!schema || !('$ref' in schema)) return schema;
  return schemas[schema.$ref.replace('#/components/schemas/', '')] as ObjectSchema | undefined;
}
