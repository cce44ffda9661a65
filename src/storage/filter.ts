import type { AnyCollection } from './collection.js';

/** A comparison other than equality. Times and numbers are compared by value, texts by their UTF-8 bytes. */
export interface Condition<V> {
  /** Equal to one of these; an empty list matches nothing. */
  readonly oneOf?: readonly NonNullable<V>[];
  /** Not null. */
  readonly not?: null;
  /** Greater than or equal to this value. */
  readonly from?: NonNullable<V>;
  /** Less than this value. */
  readonly before?: NonNullable<V>;
  /** A text with this literal prefix, which is not empty and does not end with a surrogate or U+10FFFF. */
  readonly startsWith?: string;
  /** A text that contains this literal text. */
  readonly contains?: string;
  /** A list that contains this value. */
  readonly has?: ListItem;
}

/** The items of a list: texts, numbers, or pairs of texts. */
type ListItem = string | number | readonly [string, string];

/** What a field is compared with. A value means equality; null means the value is absent. */
export type Comparison<V> = V | Condition<V>;

type Comparable = string | number | boolean | Date | null;

type Items = readonly ListItem[];

/** Lists are compared by their items. */
type Comparisons<R> = {
  readonly [K in keyof R as R[K] extends Comparable | Items ? K : never]?: R[K] extends Items
    ? { readonly has: R[K][number] }
    : Comparison<R[K]>;
};

/**
 * Selects records that satisfy all comparisons, all of `and`, and at least one of `or`. An empty filter selects every record. A
 * null field matches only null.
 */
export type Filter<R> = Comparisons<R> & {
  readonly and?: readonly Filter<R>[];
  readonly or?: readonly Filter<R>[];
};

/** A parsed filter, independent of the record type. */
export interface AnyFilter {
  readonly comparisons: readonly (readonly [field: string, comparison: Comparison<unknown>])[];
  readonly and: readonly AnyFilter[];
  readonly or: readonly AnyFilter[] | undefined;
}

/** @throws Error if a field is compared with neither a value nor a {@link Condition}, which would select unintended records */
export function readFilter<R>(filter: Filter<R>): AnyFilter {
  const { and = [], or, ...fields } = filter as Filter<R> & Record<string, unknown>;
  const comparisons = Object.entries(fields) as [string, Comparison<unknown>][];
  const wrong = comparisons.find(([, comparison]) => !isComparison(comparison));
  if (wrong) throw new Error(`The field ${wrong[0]} is compared with no value and no condition`);
  return { comparisons, and: and.map(readFilter), or: or?.map(readFilter) };
}

const isText = (value: unknown) => typeof value === 'string';
const isPair = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every(isText);
const isValue = (value: unknown) =>
  isText(value) || typeof value === 'number' || typeof value === 'boolean' || value instanceof Date;

const OPERANDS: Record<keyof Condition<unknown>, (operand: unknown) => boolean> = {
  oneOf: (operand) => Array.isArray(operand) && operand.every(isValue),
  not: (operand) => operand === null,
  from: isValue,
  before: isValue,
  startsWith: (operand) => isText(operand) && operand !== '',
  contains: isText,
  has: (operand) => isText(operand) || typeof operand === 'number' || isPair(operand),
};

function isComparison(comparison: unknown): boolean {
  if (!isCondition(comparison)) return comparison === null || isValue(comparison);
  const operands = Object.entries(comparison) as [keyof Condition<unknown>, unknown][];
  return (
    operands.length > 0 &&
    operands.every(([name, operand]) => Object.hasOwn(OPERANDS, name) && OPERANDS[name](operand))
  );
}

/** Whether a comparison is a {@link Condition} rather than a single value. */
export const isCondition = (comparison: unknown): comparison is Condition<unknown> =>
  typeof comparison === 'object' && comparison !== null && !(comparison instanceof Date);

/** Removes undefined properties. */
export function omitUndefined<T extends object>(
  comparisons: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(comparisons).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/**
 * The range of texts with a prefix, in UTF-8 byte order (the sort order of both engines): from the prefix
 * itself to the first text after all of them.
 *
 * @param prefix not empty; its last character is neither a surrogate nor U+10FFFF
 */
export function prefixRange(prefix: string): { readonly from: string; readonly until: string } {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Skip the surrogates, which are not characters.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return { from: prefix, until: characters.join('') + String.fromCodePoint(next) };
}

/** The engine's name for an index. */
export const indexName = ({ name }: AnyCollection, fields: readonly string[]): string =>
  `${name}_by_${fields.join('_')}`;

/** Every index of a collection except the one on `_id`, including unique ones. */
export const indexesOf = ({ indexes, unique }: AnyCollection): (readonly string[])[] => [
  ...unique,
  ...indexes,
];

/**
 * The index a read uses to find its records. All other comparisons are checked record by record.
 *
 * @param by the sort field. If set, picks the first declared index whose fields before the sort field are
 *   all compared for equality, preferring indexes that break ties by `_id`. Collections therefore declare
 *   the narrowest index first. Otherwise picks the index with the longest compared prefix
 * @param counted a field to group counts by: breaks ties in favor of an index that covers it
 * @returns its fields; undefined if the `_id` index serves, because `_id` is compared or every record is
 *   selected
 * @throws Error if no index serves. The read would slow everyone down, so declare an index
 */
export function chooseIndex(
  collection: AnyCollection,
  filter: AnyFilter,
  by?: string,
  counted?: string,
): readonly string[] | undefined {
  const compared = flatten(filter);
  const has = (field: string, ...ways: Way[]) =>
    compared.some(([name, comparison]) => name === field && ways.includes(wayOf(comparison)));
  if (has('_id', 'equal', 'oneOf')) return undefined;
  const isUnsorted = by === undefined;
  if ((isUnsorted || by === '_id') && selectsAll(filter)) return undefined;
  const isCompared = (field: string) => has(field, 'equal') || (isUnsorted && has(field, 'oneOf'));
  const served = indexesOf(collection).flatMap((fields) => {
    const beginning = lengthWhile(fields, isCompared);
    const next = fields[beginning];
    if (!isUnsorted) {
      const sortsAll = by === '_id' || fields[beginning + 1] === '_id';
      return fields.indexOf(by) === beginning ? [{ fields, rank: Number(sortsAll) }] : [];
    }
    const narrows = next !== undefined && has(next, 'range');
    const begins = 2 * beginning + Number(narrows);
    const rank = 2 * begins + Number(counted !== undefined && fields.includes(counted));
    return begins > 0 ? [{ fields, rank }] : [];
  });
  const best = served.toSorted((a, b) => b.rank - a.rank)[0];
  if (best) return best.fields;
  const names = compared.map(([name]) => name).join(', ');
  throw new Error(`No index of ${collection.name} serves ${names} by ${by ?? 'any order'}`);
}

/** Whether the selected records all differ in the sort field, as in a range of a unique index. */
export function isUniqueBy(collection: AnyCollection, filter: AnyFilter, by: string): boolean {
  const index = chooseIndex(collection, filter, by);
  const isUnique = index?.at(-1) === by && collection.unique.includes(index);
  // A range contains no null, which any number of records can share.
  return isUnique && flatten(filter).some(([field, one]) => field === by && wayOf(one) === 'range');
}

/**
 * Whether an index alone finds the selected records in order, so the cost depends only on how many are read.
 *
 * @param by the sort field, if any
 */
export function isCoveredByIndex(
  collection: AnyCollection,
  filter: AnyFilter,
  by?: string,
): boolean {
  if (filter.or || filter.and.length > 0) return false;
  const fields = chooseIndex(collection, filter, by) ?? ['_id'];
  const ways = new Map(filter.comparisons.map(([name, one]) => [name, wayOf(one)]));
  const beginning = lengthWhile(fields, (field) => ways.get(field) === 'equal');
  const next = fields[beginning];
  const isRange = next !== undefined && ways.get(next) === 'range';
  const isSorted = by === undefined || by === next;
  return ways.size === beginning + Number(isRange) && isSorted;
}

const selectsAll = ({ comparisons, and, or }: AnyFilter): boolean =>
  comparisons.length === 0 && or === undefined && and.every(selectsAll);

const lengthWhile = (fields: readonly string[], holds: (field: string) => boolean): number => {
  const end = fields.findIndex((field) => !holds(field));
  return end < 0 ? fields.length : end;
};

/** How a comparison uses an index. */
type Way = 'equal' | 'oneOf' | 'range' | 'none';

function wayOf(comparison: unknown): Way {
  if (!isCondition(comparison)) return 'equal';
  if (comparison.oneOf) return 'oneOf';
  return ['from', 'before', 'startsWith'].some((part) => part in comparison) ? 'range' : 'none';
}

/** The comparisons of a filter, except those in `or`. */
const flatten = ({ comparisons, and }: AnyFilter): AnyFilter['comparisons'][number][] => [
  ...comparisons,
  ...and.flatMap(flatten),
];
