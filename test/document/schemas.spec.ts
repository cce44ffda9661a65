import { exampleOf } from './example-of.js';
import { readDocument, routesOf, type Schema } from './openapi-document.js';
import { SchemaValidator } from './schema-validator.js';
import { type Place, walkSchemas } from './walk-schemas.js';

const document = readDocument();
const validator = new SchemaValidator(document);
const places = walkSchemas(document);

const isReference = ({ $ref, allOf, oneOf }: Schema) => !!$ref || !!allOf || !!oneOf;

/** Each rule, by what it guarantees: whether a schema keeps it. */
const RULES: [string, (place: Place) => boolean][] = [
  ['has a type, or refers to what has one', ({ schema }) => !!schema.type || isReference(schema)],
  [
    'says no more than the reference where it is one: readers ignore what stands beside $ref',
    ({ schema }) => !schema.$ref || Object.keys(schema).length === 1,
  ],
  ['has a type beside nullable', ({ schema }) => !schema.nullable || !!schema.type],
  ['has a name where it is an enum', ({ schema, isComponent }) => !schema.enum || isComponent],
  [
    'has enum values that differ in more than case',
    ({ schema: { enum: values = [] } }) =>
      new Set(values.map((value) => String(value).toLowerCase())).size === values.length,
  ],
  ['counts in integers', ({ schema }) => schema.type !== 'number'],
  ['says how large its integers are', ({ schema }) => schema.type !== 'integer' || !!schema.format],
  [
    'has a default that is valid',
    ({ schema }) =>
      schema.default === undefined || validator.mismatchesOf(schema.default, schema).length === 0,
  ],
  [
    'has the pattern of an object id where it is one',
    ({ schema }) =>
      !/^[0-9a-f]{24}$/.test(String(schema.example)) ||
      ['^[0-9a-f]{24}$', '^[0-9a-fA-F]{24}$'].includes((schema as { pattern?: string }).pattern!),
  ],
];

describe('Every schema of the document', () => {
  it.each(RULES)('%s', (_guarantee, keeps) => {
    expect(places.filter((place) => !keeps(place)).map(({ place }) => place)).toEqual([]);
  });
});

describe('Every named schema of the document', () => {
  it.each(Object.entries(document.components.schemas))(
    'has an example that is valid: %s',
    (_name, schema) => {
      expect(validator.mismatchesOf(exampleOf(schema, document), schema)).toEqual([]);
    },
  );

  it('has a name that no generator of clients takes for itself', () => {
    const taken = routesOf(document).map(({ operation: { operationId = '' } }) =>
      `${operationId}response`.toLowerCase(),
    );
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => ['client', ...taken].includes(name.toLowerCase()))).toEqual([]);
  });
});
