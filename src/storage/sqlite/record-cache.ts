import { LRUCache } from 'lru-cache';
import type { Stored } from '../collection.js';
import type { Row } from './codec.js';

/** Measured bytes of a cached record, and of each of its values besides the characters of texts. */
const RECORD_BYTES = 400;
const VALUE_BYTES = 30;

/** A unique set of fields, with the ids of the cached records by their values. */
interface UniqueIds {
  readonly fields: readonly string[];
  readonly ids: Map<unknown, string>;
}

/** The records of a collection that were used last, as they are stored, by `_id` and by each unique set. */
export class RecordCache {
  private readonly uniqueIds: readonly UniqueIds[];
  private readonly records: LRUCache<string, Stored>;

  constructor(unique: readonly (readonly string[])[], maxBytes: number) {
    this.uniqueIds = unique.map((fields) => ({ fields, ids: new Map() }));
    this.records = new LRUCache({ maxSize: maxBytes, dispose: (record) => this.forgetIds(record) });
  }

  /** @param fields `_id`, or a unique set: the fields of the key */
  find(fields: readonly string[], key: Partial<Stored>): Stored | undefined {
    const unique = this.uniqueIds.find((one) => one.fields === fields);
    const _id = unique ? unique.ids.get(keyOf(key, fields)) : key._id;
    return _id === undefined ? undefined : this.records.get(_id);
  }

  /** @param row of the record */
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

/** The values of these fields; undefined where one is null, which is not unique. */
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
