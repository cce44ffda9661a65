import type { mongo } from 'mongoose';
import { chooseIndex, indexName } from '../../choose-index.js';
import type { AnyCollection } from '../../collection.js';
import { type AnyFilter, type Condition, isCondition } from '../../filter.js';
import { prefixRange } from '../../prefix-range.js';
import type { ListPosition, Order } from '../../store.js';
import type { Codec } from './codec.js';
import { isPartial } from './schemas.js';

type Filter = mongo.Filter<mongo.Document>;
type Operator = Readonly<Record<string, unknown>>;

/**
 * The filter of a statement. Every value is the operand of an operator, so none can be an operator itself.
 *
 * @throws Error where a field is not declared
 */
export function toMongoFilter(codec: Codec, { comparisons, and, or }: AnyFilter): Filter {
  const toMongo = (filter: AnyFilter) => toMongoFilter(codec, filter);
  return allOf([
    ...comparisons.flatMap(([field, comparison]) =>
      operatorsOf(codec, field, comparison).map((operator) => ({ [field]: operator })),
    ),
    ...and.map(toMongo),
    ...(or ? [anyOf(or.map(toMongo))] : []),
  ]);
}

/**
 * The name of the index by which a read finds its records; undefined where it has not every record, so that the server has
 * to choose.
 *
 * @throws Error where none serves it
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

/** Selects what comes after a position of a list. */
export function comesAfter<R>(
  codec: Codec,
  { by, direction }: Order<R>,
  { value, _id }: ListPosition,
): Filter {
  const after = direction === 'asc' ? '$gt' : '$lt';
  const afterId = { _id: { [after]: codec.encodeValue('_id', _id) } };
  if (by === '_id') return afterId;
  const operand = codec.encodeValue(by, value);
  return allOf([
    // The range of the index: the alternatives alone would begin at its first record.
    { [by]: { [`${after}e`]: operand } },
    anyOf([{ [by]: { [after]: operand } }, { [by]: { $eq: operand }, ...afterId }]),
  ]);
}

/** Selects what all of these select. */
export function allOf(filters: readonly Filter[]): Filter {
  const conditions = filters.filter((filter) => Object.keys(filter).length > 0);
  return conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? {});
}

const anyOf = (filters: readonly Filter[]): Filter =>
  filters.length > 0 ? { $or: [...filters] } : { _id: { $in: [] } };

type Encode = (value: unknown) => unknown;

/** The operator of each part of a condition. */
const OPERATORS: Readonly<
  Record<keyof Condition<unknown>, (operand: never, encode: Encode) => Operator>
> = {
  oneOf: (values: readonly unknown[], encode) => ({ $in: values.map(encode) }),
  not: (value: null) => ({ $ne: value }),
  from: (value, encode) => ({ $gte: encode(value) }),
  before: (value, encode) => ({ $lt: encode(value) }),
  // A range, which an index can serve.
  startsWith: (prefix: string) => {
    const { from, until } = prefixRange(prefix);
    return { $gte: from, $lt: until };
  },
  has: (value) => ({ $elemMatch: { $eq: value } }),
  contains: (text: string) => ({ $regex: escaped(text) }),
};

function operatorsOf(codec: Codec, field: string, comparison: unknown): Operator[] {
  const encode = (value: unknown) => codec.encodeValue(field, value);
  if (!isCondition(comparison)) return [{ $eq: encode(comparison) }];
  const parts = Object.entries(comparison) as [keyof Condition<unknown>, never][];
  return parts.map(([name, operand]) => OPERATORS[name](operand, encode));
}

/** A regular expression of literal characters. The server rejects an embedded null. */
const escaped = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
