import { type Connection, type Model, mongo, Schema } from 'mongoose';
import { indexesOf, indexName } from '../../choose-index.js';
import type { AnyCollection, Field, FieldKind } from '../../collection.js';
import { rateLimitWindowModel } from '../rate-limits/rate-limit-window.js';

/**
 * Seconds from the expiry of a record until MongoDB deletes it by its own clock. Whether a record has expired is judged
 * by the service's clock.
 */
const DELETED_AFTER = 86_400;

/** The least value of each kind that a unique field may have. */
const LEAST: Partial<Record<FieldKind, unknown>> = {
  id: new mongo.ObjectId('0'.repeat(24)),
  text: '',
  integer: -Infinity,
  time: new Date(-8.64e15),
};

/** The models of collections, with the indexes that their declarations name, and those of rate limits. */
export const modelsOf = (
  connection: Connection,
  collections: readonly AnyCollection[],
): Model<unknown>[] => [
  ...collections.map((collection) =>
    connection.model<unknown>(collection.name, schemaOf(collection), collection.name),
  ),
  rateLimitWindowModel(connection),
];

/** It has the indexes alone: statements go through the driver, and {@link Codec} knows the fields. */
function schemaOf(collection: AnyCollection): Schema {
  const schema = new Schema({}, { strict: false });
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

export const createCollections = (models: readonly Model<unknown>[]) =>
  Promise.all(models.map((model) => model.createCollection()));

export const createIndexes = (models: readonly Model<unknown>[]) =>
  Promise.all(models.map((model) => model.createIndexes()));
