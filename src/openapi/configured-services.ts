import type { OpenAPIObject } from '@nestjs/swagger';

const NAME = 'LicensedService';
const REFERENCE = `#/components/schemas/${NAME}`;

interface Field {
  readonly example?: readonly string[];
  readonly items?: { readonly $ref?: string };
}

/** The parts of the document that this file changes. */
interface Part {
  /** In an example. */
  services?: readonly string[];
  /** In a schema. */
  properties?: { services?: Field };
  required?: readonly string[];
  /** In the list of schemas. */
  [NAME]?: object;
}

/**
 * A document with its deployment's services in requests and examples. If there are none, requests have no
 * such field.
 */
export function withServices(document: OpenAPIObject, offered: readonly string[]): OpenAPIObject {
  const shown = (_key: string, part: Part | null) => {
    if (Array.isArray(part?.services)) part.services = offered.slice(0, part.services.length);
    if (part?.properties?.services) showIn(part, part.properties, offered);
    if (part?.[NAME] && offered.length === 0) delete part[NAME];
    else if (part?.[NAME]) part[NAME] = { ...part[NAME], enum: offered };
    return part;
  };
  return JSON.parse(JSON.stringify(document), shown) as OpenAPIObject;
}

function showIn(schema: Part, properties: { services?: Field }, offered: readonly string[]): void {
  const { example = [], items } = properties.services!;
  properties.services = {
    ...properties.services,
    example: offered.slice(0, example.length),
  };
  if (items?.$ref !== REFERENCE || offered.length > 0) return;
  delete properties.services;
  if (schema.required) schema.required = schema.required.filter((name) => name !== 'services');
}
