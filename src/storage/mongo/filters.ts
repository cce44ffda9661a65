import type { mongo } from 'mongoose';
import { type AnyFilter, type Condition, isCondition, prefixRange } from '../filter.js';
import type { ListPosition, Order } from '../store.js';
import type { Documents } from './documents.js';

type Filter = mongo.Filter<mongo.Document>;
type Operator = Readonly<Record<string, unknown>>;

/**
 * Converts a filter for a statement. Every value is the operand of an operator, so no value can act as an
 * operator.
 *
 * @throws Error if a field is not declared
 */
export function toMongoFilter(documents: Documents, { comparisons, and, or }: AnyFilter): Filter {
  const toMongo = (filter: AnyFilter) => toMongoFilter(documents, filter);
  return allOf([
    ...comparisons.flatMap(([field, comparison]) =>
      operatorsOf(documents, field, comparison).map((operator) => ({ [field]: operator })),
    ),
    ...and.map(toMongo),
    ...(or ? [anyOf(or.map(toMongo))] : []),
  ]);
}

/** Selects the records after a position in a list. */
export function comesAfter<R>(
  documents: Documents,
  { by, direction }: Order<R>,
  { value, _id }: ListPosition,
): Filter {
  const after = direction === 'asc' ? '$gt' : '$lt';
  const afterId = { _id: { [after]: documents.encodeValue('_id', _id) } };
  if (by === '_id') return afterId;
  const operand = documents.encodeValue(by, value);
  return allOf([
    // Limits the index range. With only the alternatives, it would start at the first record.
    { [by]: { [`${after}e`]: operand } },
    anyOf([{ [by]: { [after]: operand } }, { [by]: { $eq: operand }, ...afterId }]),
  ]);
}

/** The conjunction of filters. */
export function allOf(filters: readonly Filter[]): Filter {
  const conditions = filters.filter((filter) => Object.keys(filter).length > 0);
  return conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? {});
}

const anyOf = (filters: readonly Filter[]): Filter =>
  filters.length > 0 ? { $or: [...filters] } : { _id: { $in: [] } };

type Encode = (value: unknown) => unknown;

/** The operator for each part of a condition. */
const OPERATORS: Readonly<
  Record<keyof Condition<unknown>, (operand: never, encode: Encode) => Operator>
> = {
  oneOf: (values: readonly unknown[], encode) => ({ $in: values.map(encode) }),
  not: (value: null) => ({ $ne: value }),
  from: (value, encode) => ({ $gte: encode(value) }),
  before: (value, encode) => ({ $lt: encode(value) }),
  // Written as a range, so an index can serve it.
  startsWith: (prefix: string) => {
    const { from, until } = prefixRange(prefix);
    return { $gte: from, $lt: until };
  },
  has: (value) => ({ $elemMatch: { $eq: value } }),
  contains: (text: string) => ({ $regex: escaped(text) }),
};

function operatorsOf(documents: Documents, field: string, comparison: unknown): Operator[] {
  const encode = (value: unknown) => documents.encodeValue(field, value);
  if (!isCondition(comparison)) return [{ $eq: encode(comparison) }];
  const parts = Object.entries(comparison) as [keyof Condition<unknown>, never][];
  return parts.map(([name, operand]) => OPERATORS[name](operand, encode));
}

/** A regular expression of literal characters. The server rejects an embedded null. */
const escaped = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
