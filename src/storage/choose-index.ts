import type { AnyCollection } from './collection.js';
import { type AnyFilter, isCondition } from './filter.js';

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
