import {
  type Connection,
  type Model,
  mongo,
  Schema,
  type SchemaDefinition,
  SchemaTypes,
} from 'mongoose';
import { indexesOf, indexName } from '../../choose-index.js';
import type { AnyCollection, Field, FieldKind } from '../../collection.js';

/**
 * Seconds from the expiry of a record until MongoDB deletes it by its own clock. Whether a record has expired is judged
 * by the service's clock.
 */
const DELETED_AFTER = 86_400;

const TYPES: Readonly<Record<FieldKind, SchemaDefinition[string]>> = {
  id: SchemaTypes.ObjectId,
  text: String,
  integer: Number,
  boolean: Boolean,
  time: Date,
  list: [SchemaTypes.Mixed],
  json: SchemaTypes.Mixed,
};

/** The least value of each kind that a unique field may have. */
const LEAST: Partial<Record<FieldKind, unknown>> = {
  id: new mongo.ObjectId('0'.repeat(24)),
  text: '',
  integer: -Infinity,
  time: new Date(-8.64e15),
};

/** The models of collections, with the indexes that their declarations name. */
export function modelsOf(
  connection: Connection,
  collections: readonly AnyCollection[],
): Model<unknown>[] {
  return collections.map((collection) =>
    connection.model<unknown>(collection.name, schemaOf(collection), collection.name),
  );
}

function schemaOf(collection: AnyCollection): Schema {
  const fields = Object.entries(collection.fields as Record<string, Field<unknown>>);
  const types = fields.map(([name, { kind }]) => [name, { type: TYPES[kind] }] as const);
  const definition = { ...Object.fromEntries(types), version: { type: Number } };
  const schema = new Schema(definition, {
    strict: 'throw',
    versionKey: false,
  });
  for (const index of indexesOf(collection)) {
    const isUnique = collection.unique.includes(index);
    const expires = index.join() === collection.expires;
    schema.index(Object.fromEntries(index.map((field) => [field, 1])), {
      name: indexName(collection, index),
      ...(isUnique && { unique: true }),
      ...(isPartial(collection, index) && {
        partialFilterExpression: hasValues(collection, index),
      }),
      ...(expires && { expireAfterSeconds: DELETED_AFTER }),
    });
  }
  return schema;
}

/** Whether an index has only the records in which its fields are not null, which may have the same values. */
export const isPartial = (collection: AnyCollection, index: readonly string[]): boolean =>
  collection.unique.includes(index) && nullableOf(collection, index).length > 0;

const nullableOf = ({ fields }: AnyCollection, index: readonly string[]) =>
  index.filter((name) => (fields as Record<string, Field<unknown>>)[name]!.isNullable);

/** A condition that follows from equality with a value, so that such a query can use the index. */
const hasValues = (collection: AnyCollection, index: readonly string[]) =>
  Object.fromEntries(
    nullableOf(collection, index).map((name) => {
      const { kind } = (collection.fields as Record<string, Field<unknown>>)[name]!;
      return [name, { $gte: LEAST[kind] }];
    }),
  );

export async function createCollections(models: readonly Model<unknown>[]): Promise<void> {
  await Promise.all(models.map((model) => model.createCollection()));
}

export async function createIndexes(models: readonly Model<unknown>[]): Promise<void> {
  await Promise.all(models.map((model) => model.createIndexes()));
}
