import {
  type AnyFilter,
  chooseIndex,
  type Condition,
  type Filter,
  isCondition,
  readFilter,
} from '../../src/storage/filter.js';
import {
  type Change,
  type Increment,
  newVersion,
  type RemoveAll,
  type SetAll,
} from '../../src/storage/changes.js';
import type { AnyCollection, Field, Stored } from '../../src/storage/collection.js';

/** Whether a filter selects a record. */
export const matches = (record: object, { comparisons, and, or }: AnyFilter): boolean =>
  comparisons.every(([field, comparison]) =>
    isCondition(comparison)
      ? meets(valueOf(record, field), comparison)
      : equals(valueOf(record, field), comparison),
  ) &&
  and.every((filter) => matches(record, filter)) &&
  (or === undefined || or.some((filter) => matches(record, filter)));

/** Whether two values are equal; null equals null. */
export const equals = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a !== 'string' && typeof a === typeof b && compare(a, b) === 0);

/** The order of two values of the same type: null first, texts by their UTF-8 bytes. */
export function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}

export const valueOf = (record: object, field: string): unknown =>
  (record as Record<string, unknown>)[field];

const meets = (
  value: unknown,
  { oneOf, from, before, startsWith, contains, has }: Condition<unknown>,
): boolean =>
  value !== null &&
  (oneOf === undefined || oneOf.some((one) => equals(value, one))) &&
  (from === undefined || compare(value, from) >= 0) &&
  (before === undefined || compare(value, before) < 0) &&
  (startsWith === undefined || (value as string).startsWith(startsWith)) &&
  (contains === undefined || (value as string).includes(contains)) &&
  (has === undefined ||
    (value as unknown[]).some((item) => JSON.stringify(item) === JSON.stringify(has)));

/** A deep copy of a stored value, with the classes of the test realm, which `structuredClone` does not use. */
export function copyOf<T>(value: T): T;
export function copyOf(value: unknown): unknown {
  if (value instanceof Date) return new Date(value);
  if (Array.isArray(value)) return value.map((each: unknown) => copyOf(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}

/** The records of a model, by collection name and id. */
export class ModelTables {
  /** The records changed here. */
  private readonly changed = new Set<string>();

  constructor(private readonly tables = new Map<string, Map<string, Stored>>()) {}

  /** The same records, for changes that may be discarded. */
  copy(): ModelTables {
    return new ModelTables(
      new Map([...this.tables].map(([name, table]) => [name, new Map(table)])),
    );
  }

  /** The records of a collection; read-only. */
  read(collection: AnyCollection): Stored[] {
    return [...this.table(collection).values()].map(completeIn(collection));
  }

  /**
   * Applies a change.
   *
   * @returns the number of records changed by `removeAll` or `setAll`, otherwise 0; false if the condition fails
   * @throws Error if the change is a bug
   */
  make(change: Change): number | false {
    const { collection } = change;
    switch (change.kind) {
      case 'removeAll':
        return this.changeAll(change, ({ _id }) => this.delete(collection, _id));
      case 'setAll':
        return this.changeAll(change, (record) =>
          this.set(collection, { ...record, ...change.fields }),
        );
      case 'increment': {
        const before = this.find(collection, change._id);
        const after = before && incremented(before, change);
        return after ? this.set(collection, after) : false;
      }
      case 'replace':
        return (
          this.isAsRead(collection, change.before) &&
          this.isFree(collection, change.after) &&
          this.set(collection, change.after)
        );
      case 'remove':
        return (
          this.isAsRead(collection, change.before) && this.delete(collection, change.before._id)
        );
      case 'insert':
        return (
          !this.find(collection, change.record._id) &&
          this.isFree(collection, change.record) &&
          this.set(collection, change.record)
        );
    }
  }

  /** The records a filter selects. */
  select(collection: AnyCollection, filter: Filter<object>, by?: string): Stored[] {
    const read = readFilter(filter);
    chooseIndex(collection, read, by);
    return this.read(collection).filter((record) => matches(record, read));
  }

  private changeAll(
    { collection, filter, limit }: RemoveAll | SetAll,
    each: (record: Stored) => void,
  ) {
    const selected = this.select(collection, filter);
    selected.slice(0, limit).forEach(each);
    return Math.min(selected.length, limit);
  }

  private isAsRead(collection: AnyCollection, { _id, version }: Stored): boolean {
    return this.find(collection, _id)?.version === version;
  }

  /** Whether no other record has this record's unique values. */
  private isFree(collection: AnyCollection, record: Stored): boolean {
    const isShared = (field: string, other: Stored) =>
      valueOf(record, field) !== null && equals(valueOf(record, field), valueOf(other, field));
    const isOther = ({ _id }: Stored) => _id !== record._id;
    return !collection.unique.some((fields) =>
      this.read(collection).some(
        (other) => isOther(other) && fields.every((field) => isShared(field, other)),
      ),
    );
  }

  private find(collection: AnyCollection, _id: string): Stored | undefined {
    const stored = this.table(collection).get(_id);
    return stored && completeIn(collection)(stored);
  }

  private table({ name }: AnyCollection): Map<string, Stored> {
    const table = this.tables.get(name) ?? new Map<string, Stored>();
    this.tables.set(name, table);
    return table;
  }

  private delete(collection: AnyCollection, _id: string): 0 {
    this.changeOnce(collection, _id);
    this.table(collection).delete(_id);
    return 0;
  }

  private set(collection: AnyCollection, record: Stored): 0 {
    this.changeOnce(collection, record._id);
    const stored = { ...declared(collection, record), version: newVersion() } as Stored;
    this.table(collection).set(record._id, stored);
    return 0;
  }

  private changeOnce({ name }: AnyCollection, _id: string): void {
    const one = `${name} ${_id}`;
    if (this.changed.has(one)) throw new Error(`A commit changes ${one} twice`);
    this.changed.add(one);
  }
}

/** Sets the initial value of a field on a record stored before the field was declared. */
function completeIn({ fields }: AnyCollection): (record: Stored) => Stored {
  const initial = Object.entries(fields as Record<string, Field<unknown>>).filter(
    ([, field]) => field.initial !== undefined,
  );
  return (record) => {
    const missing = initial.filter(([name]) => !(name in record));
    const values = missing.map(([name, field]) => [name, field.initial]);
    return values.length === 0 ? record : { ...(Object.fromEntries(values) as object), ...record };
  };
}

/** The record after an increment; undefined if the condition fails. */
function incremented(record: Stored, { by, atMost, where }: Increment): Stored | undefined {
  const sums = Object.entries(by).map(([field, added]) => [
    field,
    Number(valueOf(record, field)) + added,
  ]);
  const after = { ...record, ...(Object.fromEntries(sums) as object) };
  const { comparisons } = readFilter(where as Filter<object>);
  const isWhere = comparisons.every(([field, value]) => equals(valueOf(record, field), value));
  const isWithin = Object.entries(atMost).every(
    ([field, bound]) => Number(valueOf(after, field)) <= bound,
  );
  return isWhere && isWithin ? after : undefined;
}

/** A copy of a record's declared fields. */
function declared({ name, fields }: AnyCollection, record: Stored): object {
  const entries = Object.entries(fields as Record<string, Field<unknown>>).map(
    ([field, { isNullable }]) => {
      const value = valueOf(record, field);
      if (value === undefined || (value === null && !isNullable))
        throw new Error(`${field} of ${name} has no value`);
      return [field, copyOf(value)] as const;
    },
  );
  return Object.fromEntries(entries);
}
