import { mongo, Schema } from 'mongoose';
import { type AnyFilter, chooseIndex, indexesOf, indexName } from '../filter.js';
import type { AnyCollection, FieldKind } from '../collection.js';

/**
 * Seconds between the expiry of a record and its deletion by MongoDB, by MongoDB's own clock. The service's
 * clock decides whether a record has expired.
 */
const DELETED_AFTER = 86_400;

/** The smallest value a unique field can have, by kind. */
const LEAST: Partial<Record<FieldKind, unknown>> = {
  id: new mongo.ObjectId('0'.repeat(24)),
  text: '',
  integer: -Infinity,
  time: new Date(-8.64e15),
};

/** Has only the declared indexes, because statements use the driver, and {@link Documents} knows the fields. */
export function schemaOf(collection: AnyCollection): Schema {
  const schema = new Schema({}, { strict: false });
  for (const index of indexesOf(collection)) {
    // Implied by equality with a value, so equality queries can use the partial index.
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
 * The name of the index a read uses; undefined if that index is partial, because the server must then
 * choose.
 *
 * @throws Error if no index serves the read
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

/** Whether an index contains only records with non-null fields, because null values need not be unique. */
const isPartial = (collection: AnyCollection, index: readonly string[]): boolean =>
  collection.unique.includes(index) && nullableIn(collection, index).length > 0;

const nullableIn = ({ fields }: AnyCollection, index: readonly string[]) =>
  index.filter((name) => fields[name]!.isNullable);
