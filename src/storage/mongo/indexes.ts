import { mongo, Schema } from 'mongoose';
import { type AnyFilter, chooseIndex, indexesOf, indexName } from '../filter.js';
import type { AnyCollection, FieldKind } from '../collection.js';

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

/** It has the declared indexes alone: statements go through the driver, and {@link Documents} knows the fields. */
export function schemaOf(collection: AnyCollection): Schema {
  const schema = new Schema({}, { strict: false });
  for (const index of indexesOf(collection)) {
    // A condition that follows from equality with a value, so that such a query can use the index.
    const hasValues = nullableIn(collection, index).map((name) => [
      name,
      { $gte: LEAST[collection.fields[name]!.kind] },
    ]);
    schema.index(Object.fromEntries(index.map((field) => [field, 1])), {
      name: indexName(collection, index),
      ...(collection.unique.includes(index) && { unique: true }),
      ...(isPartial(collection, index) && {
        partialFilterExpression: Object.fromEntries(hasValues) as object,
      }),
      ...(index.join() === collection.expires && { expireAfterSeconds: DELETED_AFTER }),
    });
  }
  return schema;
}

/**
 * The name of the index by which a read finds its records; undefined if the index lacks some records, so that the server has
 * to choose.
 *
 * @throws Error if none serves it
 */
export function hintOf(
  collection: AnyCollection,
  filter: AnyFilter,
  by?: string,
  counted?: string,
): string | undefined {
  const index = chooseIndex(collection, filter, by, counted);
  if (!index) return '_id_';
  return isPartial(collection, index) ? undefined : indexName(collection, index);
}

/** Whether an index has only the records in which its fields are not null, which may have the same values. */
const isPartial = (collection: AnyCollection, index: readonly string[]): boolean =>
  collection.unique.includes(index) && nullableIn(collection, index).length > 0;

const nullableIn = ({ fields }: AnyCollection, index: readonly string[]) =>
  index.filter((name) => fields[name]!.isNullable);
