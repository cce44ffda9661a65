import { Ajv, type ValidateFunction } from 'ajv';
import formatsModule from 'ajv-formats';
import type { OpenApiDocument, Schema } from './openapi-document.js';

const DOCUMENT = 'document';

/** Validates values against the schemas of a document, which allow no unlisted properties. */
export class SchemaValidator {
  /** Compiles in a fifth of the time, because each schema validates few values. */
  private readonly ajv = new Ajv({
    ...{ strict: false, allErrors: true },
    ...{ inlineRefs: false, code: { optimize: false } },
  });
  private readonly compiled = new WeakMap<Schema, ValidateFunction>();

  constructor({ components }: OpenApiDocument) {
    formatsModule.default(this.ajv);
    const schemas = closed(components.schemas);
    this.ajv.addSchema({ components: { schemas } }, DOCUMENT);
  }

  /** The problems of a value, one per line; empty if it is valid. */
  mismatchesOf(value: unknown, schema: Schema): string[] {
    const validate = this.validatorOf(schema);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    );
  }

  private validatorOf(schema: Schema): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known) return known;
    const text = JSON.stringify(closed(schema)).replaceAll('"#/', `"${DOCUMENT}#/`);
    const validate = this.ajv.compile(JSON.parse(text) as object);
    this.compiled.set(schema, validate);
    return validate;
  }
}

/**
 * A schema, or everything in a part of the document, as JSON Schema that rejects unlisted properties and accepts null for
 * nullable references.
 */
function closed<T>(part: T): T {
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
