import {
  type AnyFilter,
  chooseIndex,
  type Condition,
  indexName,
  isCondition,
  prefixRange,
} from '../filter.js';
import type { ListPosition, Order, Slice } from '../store.js';
import { type Codec, quoted, type Value } from './codec.js';

/** A fragment of a statement with its parameter values, in order. */
export interface Sql {
  readonly sql: string;
  readonly parameters: readonly Value[];
}

/**
 * Called for each row a reader reads; ends the statement at its deadline. Must be the first condition, so
 * it sees every row.
 */
const DEADLINE_CHECK = 'in_time() AND ';

type AnyOrder = Pick<Order<unknown>, 'direction'> & { readonly by: string };

/** Selects some of the records matching a filter, in order. */
export function selectList(
  codec: Codec,
  filter: AnyFilter,
  { by, direction }: AnyOrder,
  { limit, after }: Slice,
): Sql {
  const index = chooseIndex(codec.collection, filter, by);
  const wider: WiderBound = { field: by, bound: direction === 'asc' ? 'from' : 'before' };
  const condition = toCondition(codec, filter, after && wider);
  const position = after && afterPosition(codec, by, direction, after);
  const sorted = by === '_id' ? [by] : [by, '_id'];
  return {
    sql:
      `SELECT ${codec.columnList} ${from(codec, index)} WHERE ${DEADLINE_CHECK}${condition.sql}` +
      `${position ? ` AND ${position.sql}` : ''} ` +
      `ORDER BY ${sorted.map((name) => `${quoted(name)} ${direction}`).join(', ')} LIMIT ?`,
    parameters: [...condition.parameters, ...(position?.parameters ?? []), limit],
  };
}

function afterPosition(
  codec: Codec,
  by: string,
  direction: 'asc' | 'desc',
  { value, _id }: ListPosition,
): Sql {
  const operator = direction === 'asc' ? '>' : '<';
  if (by === '_id') return { sql: `_id ${operator} ?`, parameters: [_id] };
  const parameters = [codec.encodeField(by, value), _id];
  return { sql: `(${quoted(by)}, _id) ${operator} (?, ?)`, parameters };
}

/** Counts the records matching a filter, up to `atMost`. */
export function selectCount(codec: Codec, filter: AnyFilter, atMost: number | undefined): Sql {
  const { sql, parameters } = toCondition(codec, filter);
  const rows = `${from(codec, chooseIndex(codec.collection, filter))} WHERE ${DEADLINE_CHECK}${sql}`;
  if (atMost === undefined) return { sql: `SELECT count(*) ${rows}`, parameters };
  return {
    sql: `SELECT count(*) FROM (SELECT 1 ${rows} LIMIT ?)`,
    parameters: [...parameters, atMost],
  };
}

/** Counts the records matching a filter, per value of a field. */
export function selectCountBy(
  codec: Codec,
  filter: AnyFilter,
  field: string,
  bucketMs: number | undefined,
): Sql {
  const index = chooseIndex(codec.collection, filter, undefined, field);
  const { sql, parameters } = toCondition(codec, filter);
  const column = quoted(field);
  const value = bucketMs === undefined ? column : `CAST(floor(${column} * 1.0 / ?) AS INTEGER)`;
  return {
    sql: `SELECT ${value}, count(*) ${from(codec, index)} WHERE ${DEADLINE_CHECK}${sql} GROUP BY 1`,
    parameters: [...(bucketMs === undefined ? [] : [bucketMs]), ...parameters],
  };
}

/** Selects the newest records of each of several parents, using an index for each. */
export function selectNewestOf(
  codec: Codec,
  filter: AnyFilter,
  parent: string,
  parents: readonly string[],
  limit: number,
): Sql {
  const ofParent = { ...filter, comparisons: [...filter.comparisons, [parent, ''] as const] };
  const index = chooseIndex(codec.collection, ofParent, 'createdAt');
  const { sql, parameters } = toCondition(codec, filter);
  const columns = codec.columns.map(({ name }) => `record.${quoted(name)}`).join(', ');
  const newest =
    `SELECT _id ${from(codec, index)} WHERE ${DEADLINE_CHECK}${quoted(parent)} = given.value AND ${sql} ` +
    'ORDER BY createdAt DESC, _id DESC LIMIT ?';
  return {
    sql:
      `SELECT ${columns} FROM json_each(?) AS given ` +
      `JOIN ${quoted(codec.collection.name)} AS record ON record._id IN (${newest}) ` +
      'ORDER BY given.key, record.createdAt DESC, record._id DESC',
    parameters: [JSON.stringify(parents), ...parameters, limit],
  };
}

/** Selects the ids of records matching a filter, for a statement that changes them. */
export function selectIds(codec: Codec, filter: AnyFilter, limit: number): Sql {
  const { sql, parameters } = toCondition(codec, filter);
  const rows = `${from(codec, chooseIndex(codec.collection, filter))} WHERE ${sql}`;
  return { sql: `SELECT _id ${rows} LIMIT ?`, parameters: [...parameters, limit] };
}

function from({ collection }: Codec, index?: readonly string[]): string {
  const table = `FROM ${quoted(collection.name)}`;
  return index ? `${table} INDEXED BY ${quoted(indexName(collection, index))}` : table;
}

/** A range bound that must not drive the index search, because a list position is a tighter bound. */
interface WiderBound {
  readonly field: string;
  readonly bound: 'from' | 'before';
}

/**
 * The condition of a WHERE clause. Its text depends only on the shape of the filter, so the number of
 * prepared statements is limited.
 */
function toCondition(codec: Codec, filter: AnyFilter, wider?: WiderBound): Sql {
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
  // The unary plus keeps the index from being used.
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
  if (has !== undefined) {
    // A pair is compared by its stored JSON text.
    const value = typeof has === 'object' ? JSON.stringify(has) : has;
    add(`EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ?)`, value);
  }
  // All other operators never match null anyway.
  if (comparisons.length === 0) add(`${column} IS NOT NULL`);
  return comparisons;
}
