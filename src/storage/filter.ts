import type { AnyCollection } from './collection.js';

/** A comparison of a field with something else than one value. Times and numbers are compared as such, texts by their UTF-8 bytes. */
export interface Condition<V> {
  /** Equal to one of these; nothing equals one of none. */
  readonly oneOf?: readonly NonNullable<V>[];
  /** Not null. */
  readonly not?: null;
  /** This value or a greater one. */
  readonly from?: NonNullable<V>;
  /** A smaller value than this. */
  readonly before?: NonNullable<V>;
  /** A text that begins with this one, every character literal; it is not empty, and ends with no surrogate or U+10FFFF. */
  readonly startsWith?: string;
  /** A text that contains this one, every character literal. */
  readonly contains?: string;
  /** A list that has this value. */
  readonly has?: ListItem;
}

/** What a list consists of: texts, numbers, or pairs of texts. */
type ListItem = string | number | readonly [string, string];

/** What a field may be compared with: a value means equality, null the absence of one. */
export type Comparison<V> = V | Condition<V>;

type Comparable = string | number | boolean | Date | null;

type Items = readonly ListItem[];

/** Lists are compared by what they have. */
type Comparisons<R> = {
  readonly [K in keyof R as R[K] extends Comparable | Items ? K : never]?: R[K] extends Items
    ? { readonly has: R[K][number] }
    : Comparison<R[K]>;
};

/**
 * Selects records: all comparisons hold, all of `and` and one of `or` at least. A filter without comparisons selects every record. A
 * null matches no comparison but null itself.
 */
export type Filter<R> = Comparisons<R> & {
  readonly and?: readonly Filter<R>[];
  readonly or?: readonly Filter<R>[];
};

/** A filter as the engines read it, whatever the record. */
export interface AnyFilter {
  readonly comparisons: readonly (readonly [field: string, comparison: Comparison<unknown>])[];
  readonly and: readonly AnyFilter[];
  readonly or: readonly AnyFilter[] | undefined;
}

/** @throws Error where a field is compared with no value and no {@link Condition}, which would select records that were not meant */
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

/** Whether a field is compared by a {@link Condition}, and not with one value. */
export const isCondition = (comparison: unknown): comparison is Condition<unknown> =>
  typeof comparison === 'object' && comparison !== null && !(comparison instanceof Date);

/** The comparisons that were given: those with undefined are left out. */
export function given<T extends object>(
  comparisons: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(comparisons).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/**
 * The range of texts that begin with a prefix, in UTF-8 byte order, by which both engines sort: from the first of them, the prefix
 * itself, until the first text after them.
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

/** The name of an index in the engines. */
export const indexName = ({ name }: AnyCollection, fields: readonly string[]): string =>
  `${name}_by_${fields.join('_')}`;

/** Every index of a collection besides that of `_id`, the unique ones included. */
export const indexesOf = ({ indexes, unique }: AnyCollection): (readonly string[])[] => [
  ...unique,
  ...indexes,
];

/**
 * The index by which a read finds its records. All other comparisons are checked record by record.
 *
 * @param by the field that sorts. Then it is the first declared index whose fields before this one are compared with one value each, of
 *   those that sort equal values by `_id`, if any: so a collection declares the narrowest first. Otherwise it is the one that begins with
 *   the most compared fields
 * @param counted a field by whose values records are counted: of two that begin alike, the index that has it is read alone
 * @returns its fields; undefined where the index of `_id` serves, because `_id` is compared or every record is selected
 * @throws Error where none serves. The read would take time from everybody: it needs a declared index
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

/** Whether no two records that a filter selects share a value of the field that sorts: a range of a unique index has them. */
export function isUniqueBy(collection: AnyCollection, filter: AnyFilter, by: string): boolean {
  const index = chooseIndex(collection, filter, by);
  const isUnique = index?.at(-1) === by && collection.unique.includes(index);
  // A range has no null, which any number of records may share.
  return isUnique && flatten(filter).some(([field, one]) => field === by && wayOf(one) === 'range');
}

/**
 * Whether an index alone finds the records that a filter selects, in order: so many take so long, however many there are besides.
 *
 * @param by the field that sorts, if any
 */
export function isServedAlone(collection: AnyCollection, filter: AnyFilter, by?: string): boolean {
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

/** The comparisons of a filter, outside of `or`. */
const flatten = ({ comparisons, and }: AnyFilter): AnyFilter['comparisons'][number][] => [
  ...comparisons,
  ...and.flatMap(flatten),
];
