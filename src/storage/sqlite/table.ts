import type { StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import {
  type Change,
  type Increment,
  type Insert,
  newVersion,
  type Remove,
  type RemoveAll,
  type Replace,
  type SetAll,
} from '../changes.js';
import { type AnyCollection, keyFields, type Stored } from '../collection.js';
import { indexesOf, readFilter } from '../filter.js';
import { Codec, quoted, type Row } from './codec.js';
import { selectIds } from './select.js';

/** Prepares each text of a statement once. Rows are arrays. */
export type Prepare = (sql: string) => StatementSyncInstance;

/** Thrown if the condition of a change does not hold. */
export class ConditionFailed extends Error {
  constructor(readonly change: Change) {
    super(`The condition of ${change.kind} in ${change.collection.name} does not hold`);
  }
}

/** The records of a collection: found by key, and changed within a transaction. */
export class Table {
  readonly codec: Codec;
  private readonly name: string;
  private readonly indexed: ReadonlySet<string>;
  private readonly cache: RecordCache | undefined;

  /** @param cacheBytes size of the cache; 0 for no cache */
  constructor(
    private readonly collection: AnyCollection,
    private readonly prepare: Prepare,
    cacheBytes: number,
  ) {
    this.codec = new Codec(collection);
    this.name = quoted(collection.name);
    this.indexed = new Set(indexesOf(collection).flat());
    this.cache = cacheBytes > 0 ? new RecordCache(collection.unique, cacheBytes) : undefined;
  }

  emptyCache(): void {
    this.cache?.clear();
  }

  /** Removes records from the cache, after the commit that changed them. */
  forget(ids: readonly string[]): void {
    for (const _id of ids) this.cache?.delete(_id);
  }

  /** @throws Error if the fields of the key are neither `_id` nor a unique set */
  find(key: object): Stored | null {
    const fields = keyFields(this.collection, key);
    const cached = this.cache?.find(fields, key);
    if (cached) return cached;
    const condition = fields.map((field) => `${quoted(field)} = ?`).join(' AND ');
    const select = `SELECT ${this.codec.columnList} FROM ${this.name} WHERE ${condition}`;
    const values = fields.map((field) => this.codec.encodeField(field, Reflect.get(key, field)));
    const row = this.prepare(select).get(...values) as Row | undefined;
    if (!row) return null;
    const record = this.codec.decode(row);
    this.cache?.set(record, row);
    return record;
  }

  /**
   * Applies a change.
   *
   * @returns the ids of the changed records, without new ones
   * @throws ConditionFailed
   */
  make(change: Change): readonly string[] {
    switch (change.kind) {
      case 'removeAll':
      case 'setAll':
        return this.changeAll(change);
      case 'increment':
        return this.increment(change);
      case 'replace':
        return this.replace(change);
      case 'remove':
        return this.remove(change);
      case 'insert':
        return this.insert(change);
    }
  }

  private changeAll(change: RemoveAll | SetAll): string[] {
    const fields =
      change.kind === 'setAll' ? Object.entries({ ...change.fields, version: newVersion() }) : [];
    const statement =
      change.kind === 'setAll'
        ? `UPDATE ${this.name} SET ${assignmentsTo(fields.map(([name]) => name))}`
        : `DELETE FROM ${this.name}`;
    const values = fields.map(([name, value]) => this.codec.encodeField(name, value));
    const ids = selectIds(this.codec, readFilter(change.filter), change.limit);
    const prepared = this.prepare(`${statement} WHERE _id IN (${ids.sql}) RETURNING _id`);
    const changed = prepared.all(...values, ...ids.parameters) as [string][];
    return changed.map(([_id]) => _id);
  }

  private increment(change: Increment): string[] {
    const { _id, by, atMost, where } = change;
    const counters = Object.keys(by);
    const assignments = counters.map((name) => `, ${quoted(name)} = ${quoted(name)} + ?`);
    const conditions = [
      ...Object.keys(atMost).map((name) => ` AND ${quoted(name)} + ? <= ?`),
      ...Object.keys(where).map((name) => ` AND ${quoted(name)} IS ?`),
    ];
    const update = this.prepare(
      `UPDATE ${this.name} SET version = ?${assignments.join('')} WHERE _id = ?${conditions.join('')}`,
    );
    const { changes } = update.run(
      newVersion(),
      ...Object.values(by),
      _id,
      ...Object.entries(atMost).flatMap(([name, bound]) => [by[name] ?? 0, bound]),
      ...Object.entries(where).map(([name, value]) => this.codec.encodeField(name, value)),
    );
    if (changes === 0) throw new ConditionFailed(change);
    return [_id];
  }

  private replace(change: Replace): string[] {
    const { before, after } = change;
    const { columns } = this.codec;
    const earlier = this.codec.encode(before);
    const row = this.codec.encode({ ...after, version: newVersion() });
    // SQLite rewrites an index even if its values are unchanged, unless the statement omits its columns.
    const isSet = columns.map(
      ({ name }, index) =>
        name !== '_id' && (earlier[index] !== row[index] || !this.indexed.has(name)),
    );
    const names = columns.filter((_column, index) => isSet[index]).map(({ name }) => name);
    const values = row.filter((_value, index) => isSet[index]);
    const update = this.prepare(
      `UPDATE ${this.name} SET ${assignmentsTo(names)} WHERE _id = ? AND version = ?`,
    );
    const { changes } = whereUnique(change, () =>
      update.run(...values, before._id, before.version),
    );
    if (changes === 0) throw new ConditionFailed(change);
    return [before._id];
  }

  private remove(change: Remove): string[] {
    const { _id, version } = change.before;
    const statement = this.prepare(`DELETE FROM ${this.name} WHERE _id = ? AND version = ?`);
    if (statement.run(_id, version).changes === 0) throw new ConditionFailed(change);
    return [_id];
  }

  private insert(change: Insert): never[] {
    const { columns, columnList } = this.codec;
    const row = this.codec.encode({ ...change.record, version: newVersion() });
    const parameters = columns.map(() => '?').join(', ');
    const statement = this.prepare(
      `INSERT INTO ${this.name} (${columnList}) VALUES (${parameters})`,
    );
    whereUnique(change, () => statement.run(...row));
    return [];
  }
}

const assignmentsTo = (names: readonly string[]): string =>
  names.map((name) => `${quoted(name)} = ?`).join(', ');

/** Runs a statement that requires the record's id and unique values to be free. */
function whereUnique<T>(change: Change, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (UNIQUE_VIOLATIONS.includes((error as { errcode?: number }).errcode ?? 0)) {
      throw new ConditionFailed(change);
    }
    throw error;
  }
}

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const UNIQUE_VIOLATIONS = [1555, 2067];

/** The measured size in bytes of a cached record and of each value, excluding the characters of texts. */
const RECORD_BYTES = 400;
const VALUE_BYTES = 30;

/** A unique set of fields, with the ids of cached records by value. */
interface UniqueIds {
  readonly fields: readonly string[];
  readonly ids: Map<unknown, string>;
}

/** The most recently used records of a collection, in stored form, by `_id` and by each unique set. */
export class RecordCache {
  private readonly uniqueIds: readonly UniqueIds[];
  private readonly records: LRUCache<string, Stored>;

  constructor(unique: readonly (readonly string[])[], maxBytes: number) {
    this.uniqueIds = unique.map((fields) => ({ fields, ids: new Map() }));
    this.records = new LRUCache({ maxSize: maxBytes, dispose: (record) => this.forgetIds(record) });
  }

  /** @param fields of the key: `_id`, or a unique set */
  find(fields: readonly string[], key: Partial<Stored>): Stored | undefined {
    const unique = this.uniqueIds.find((one) => one.fields === fields);
    const _id = unique ? unique.ids.get(keyOf(key, fields)) : key._id;
    return _id === undefined ? undefined : this.records.get(_id);
  }

  /** @param row the row of the record */
  set(record: Stored, row: Row): void {
    const { _id } = record;
    this.records.set(_id, record, { size: sizeOf(row) });
    if (!this.records.has(_id)) return;
    for (const { fields, ids } of this.uniqueIds) {
      const key = keyOf(record, fields);
      if (key !== undefined) ids.set(key, _id);
    }
  }

  delete(_id: string): void {
    this.records.delete(_id);
  }

  clear(): void {
    this.records.clear();
  }

  private forgetIds(record: Stored): void {
    this.uniqueIds.forEach(({ fields, ids }) => ids.delete(keyOf(record, fields)));
  }
}

/** The values of these fields; undefined if one is null and therefore not unique. */
function keyOf(record: object, fields: readonly string[]): unknown {
  const values = fields.map((field) => (record as Record<string, unknown>)[field]);
  if (values.includes(null)) return undefined;
  return values.length === 1 ? values[0] : JSON.stringify(values);
}

const sizeOf = (row: Row): number =>
  row.reduce<number>(
    (bytes, value) => bytes + VALUE_BYTES + (typeof value === 'string' ? value.length : 0),
    RECORD_BYTES,
  );
