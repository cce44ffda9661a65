import { type AnyFilter, type Condition, isCondition } from '../filter.js';
import { prefixRange } from '../prefix-range.js';
import { type Codec, quoted, type Value } from './codec.js';

/** A part of a statement with the values of its parameters, in order. */
export interface Sql {
  readonly sql: string;
  readonly parameters: readonly Value[];
}

/** The bound of a range that an index does not search by, because a position in the list is a closer one. */
export interface WiderBound {
  readonly field: string;
  readonly bound: 'from' | 'before';
}

/**
 * The condition of a WHERE clause. Its text depends on the shape of the filter alone, so that the number of prepared statements
 * is bounded.
 */
export function toCondition(codec: Codec, filter: AnyFilter, wider?: WiderBound): Sql {
  const { comparisons, and, or } = filter;
  const alternatives = or?.map((each) => toCondition(codec, each));
  const all = [
    ...comparisons.flatMap(([field, comparison]) =>
      isCondition(comparison)
        ? toComparisons(codec, field, comparison, wider)
        : [toEquality(codec, field, comparison)],
    ),
    ...and.map((each) => toCondition(codec, each, wider)),
    ...(alternatives ? [joined(alternatives, ' OR ', 'FALSE')] : []),
  ];
  return joined(all, ' AND ', 'TRUE');
}

function joined(parts: readonly Sql[], operator: string, ofNone: string): Sql {
  const sql = parts.map((part) => part.sql).join(operator);
  return { sql: `(${sql || ofNone})`, parameters: parts.flatMap(({ parameters }) => parameters) };
}

function toEquality(codec: Codec, field: string, value: unknown): Sql {
  if (value === null) return { sql: `${quoted(field)} IS NULL`, parameters: [] };
  return { sql: `${quoted(field)} = ?`, parameters: [codec.encodeField(field, value)] };
}

function toComparisons(
  codec: Codec,
  field: string,
  { oneOf, from, before, startsWith, contains, has }: Condition<unknown>,
  wider: WiderBound | undefined,
): Sql[] {
  const column = quoted(field);
  // An operand with a sign is not searched by an index.
  const bounded = (bound: WiderBound['bound']) =>
    wider?.field === field && wider.bound === bound ? `+${column}` : column;
  const comparisons: Sql[] = [];
  const add = (sql: string, ...parameters: Value[]) => comparisons.push({ sql, parameters });
  if (oneOf) {
    const values = JSON.stringify(oneOf.map((value) => codec.encodeField(field, value)));
    add(`${column} IN (SELECT value FROM json_each(?))`, values);
  }
  if (from !== undefined) add(`${bounded('from')} >= ?`, codec.encodeField(field, from));
  if (before !== undefined) add(`${bounded('before')} < ?`, codec.encodeField(field, before));
  if (startsWith !== undefined) {
    const range = prefixRange(startsWith);
    add(`${bounded('from')} >= ?`, range.from);
    add(`${bounded('before')} < ?`, range.until);
  }
  if (contains !== undefined) add(`instr(${column}, ?) > 0`, contains);
  if (has !== undefined) add(`EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ?)`, has);
  // All others hold for no null anyway.
  if (comparisons.length === 0) add(`${column} IS NOT NULL`);
  return comparisons;
}
