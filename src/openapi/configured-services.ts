import type { OpenAPIObject } from '@nestjs/swagger';

const NAME = 'LicensedService';
const REFERENCE = `#/components/schemas/${NAME}`;

/** The members of schemas that this file uses. */
interface Schema {
  readonly example?: readonly string[];
  readonly items?: { readonly $ref?: string };
  readonly properties?: object;
  readonly required?: readonly string[];
}

/**
 * A document with its deployment's services in requests and examples. If there are none, requests have no
 * such field.
 */
export function withServices(document: OpenAPIObject, offered: readonly string[]): OpenAPIObject {
  const isNone = offered.length === 0;
  const shown = (name: string, part: Schema | readonly string[] | null): unknown => {
    if (part === null || typeof part !== 'object') return part;
    if (Array.isArray(part)) return name === 'services' ? offered.slice(0, part.length) : part;
    const { example = [], items, properties, required } = part as Schema;
    // JSON.parse omits undefined members.
    if (name === NAME) return isNone ? undefined : { ...part, enum: offered };
    if (name === 'services' && isNone && items?.$ref === REFERENCE) return undefined;
    if (name === 'services') return { ...part, example: offered.slice(0, example.length) };
    if (!properties || !required || 'services' in properties) return part;
    return { ...part, required: required.filter((field) => field !== 'services') };
  };
  return JSON.parse(JSON.stringify(document), shown) as OpenAPIObject;
}
