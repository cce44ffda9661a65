import { chooseIndex, indexName } from '../choose-index.js';
import type { AnyFilter } from '../filter.js';
import type { ListPosition, Order, Slice } from '../store.js';
import { type Codec, quoted } from './codec.js';
import { type Sql, toCondition, type WiderBound } from './conditions.js';

/** Is called for each row that a reader reads, and ends the statement at its deadline. So it is the first condition. */
export const IN_TIME = 'in_time() AND ';

type AnyOrder = Pick<Order<unknown>, 'direction'> & { readonly by: string };

/** Selects some of the records that a filter selects, in order. */
export function selectList(
  codec: Codec,
  filter: AnyFilter,
  { by, direction }: AnyOrder,
  { limit, after }: Slice,
  inTime = IN_TIME,
): Sql {
  const index = chooseIndex(codec.collection, filter, by);
  const wider: WiderBound = { field: by, bound: direction === 'asc' ? 'from' : 'before' };
  const condition = toCondition(codec, filter, after && wider);
  const position = after && afterPosition(codec, by, direction, after);
  const sorted = by === '_id' ? [by] : [by, '_id'];
  return {
    sql:
      `SELECT ${codec.columnList} ${from(codec, index)} WHERE ${inTime}${condition.sql}` +
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

/** Counts the records that a filter selects, up to `atMost`. */
export function selectCount(
  codec: Codec,
  filter: AnyFilter,
  atMost: number | undefined,
  inTime = IN_TIME,
): Sql {
  const { sql, parameters } = toCondition(codec, filter);
  const rows = `${from(codec, chooseIndex(codec.collection, filter))} WHERE ${inTime}${sql}`;
  if (atMost === undefined) return { sql: `SELECT count(*) ${rows}`, parameters };
  return {
    sql: `SELECT count(*) FROM (SELECT 1 ${rows} LIMIT ?)`,
    parameters: [...parameters, atMost],
  };
}

/** Counts the records that a filter selects for each value of a field. */
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
    sql: `SELECT ${value}, count(*) ${from(codec, index)} WHERE ${IN_TIME}${sql} GROUP BY 1`,
    parameters: [...(bucketMs === undefined ? [] : [bucketMs]), ...parameters],
  };
}

/** Selects the newest records of each of several parents: those of each by an index. */
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
    `SELECT _id ${from(codec, index)} WHERE ${IN_TIME}${quoted(parent)} = given.value AND ${sql} ` +
    'ORDER BY createdAt DESC, _id DESC LIMIT ?';
  return {
    sql:
      `SELECT ${columns} FROM json_each(?) AS given ` +
      `JOIN ${quoted(codec.collection.name)} AS record ON record._id IN (${newest}) ` +
      'ORDER BY given.key, record.createdAt DESC, record._id DESC',
    parameters: [JSON.stringify(parents), ...parameters, limit],
  };
}

/** Selects the ids of records that a filter selects, for a statement that changes them. */
export function selectIds(codec: Codec, filter: AnyFilter, limit: number): Sql {
  const { sql, parameters } = toCondition(codec, filter);
  const rows = `${from(codec, chooseIndex(codec.collection, filter))} WHERE ${sql}`;
  return { sql: `SELECT _id ${rows} LIMIT ?`, parameters: [...parameters, limit] };
}

function from({ collection }: Codec, index?: readonly string[]): string {
  const table = `FROM ${quoted(collection.name)}`;
  return index ? `${table} INDEXED BY ${quoted(indexName(collection, index))}` : table;
}
