import { requestContext, storeUnavailable } from '../../src/shared/request-context.js';
import { type Change, inOrder } from '../../src/storage/changes.js';
import type { Collection, FieldOf, Stored } from '../../src/storage/collection.js';
import { type Filter, readFilter } from '../../src/storage/filter.js';
import type { CountsByValue, Key, ListPosition, Order, Slice } from '../../src/storage/store.js';
import { type Committed, WritableStore } from '../../src/storage/writable-store.js';
import { compare, copyOf, equals, ModelTables, valueOf } from './model-tables.js';

/**
 * The simplest possible store in memory: the specification of the engines. Service tests use it as their store,
 * and add records with `commit`.
 */
export class ModelStore extends WritableStore {
  private tables = new ModelTables();

  async find<R extends Stored>(collection: Collection<R>, key: Key<R>): Promise<R | null> {
    requireTime();
    const named = Object.keys(key).toSorted().join();
    const sets = [['_id'], ...collection.unique];
    if (!sets.some((fields) => fields.toSorted().join() === named)) {
      throw new Error(`${named} is not a key of ${collection.name}`);
    }
    const { comparisons } = readFilter(key as Filter<object>);
    const isNamed = (record: R) =>
      comparisons.every(
        ([field, value]) => value !== null && equals(valueOf(record, field), value),
      );
    return copyOf(this.read(collection).find(isNamed) ?? null);
  }

  async list<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    { by, direction }: Order<R>,
    { limit, after }: Slice,
  ): Promise<R[]> {
    requireTime();
    const sign = direction === 'asc' ? 1 : -1;
    const inOrder = (a: ListPosition, b: ListPosition) =>
      sign * (compare(a.value, b.value) || compare(a._id, b._id));
    const sorted = this.select(collection, filter, by)
      .map((record) => ({
        record,
        value: valueOf(record, by) as ListPosition['value'],
        _id: record._id,
      }))
      .toSorted(inOrder)
      .filter((position) => !after || inOrder(after, position) < 0)
      .slice(0, limit)
      .map(({ record }) => record);
    return copyOf(sorted);
  }

  async count<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    atMost = Infinity,
  ): Promise<number> {
    requireTime();
    return Math.min(this.select(collection, filter).length, atMost);
  }

  async countBy<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    field: FieldOf<R>,
    bucketMs = 1,
  ): Promise<CountsByValue> {
    requireTime();
    const counts = new Map<string | number | null, number>();
    for (const record of this.select(collection, filter)) {
      const value = valueOf(record, field) as Date | string | number | null;
      const key = value instanceof Date ? Math.floor(value.getTime() / bucketMs) : value;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  async newestOf<R extends Stored & { readonly createdAt: Date }>(
    collection: Collection<R>,
    filter: Filter<R>,
    parent: FieldOf<R>,
    parents: readonly string[],
    limit: number,
  ): Promise<R[]> {
    const newestFirst = { by: 'createdAt' as FieldOf<R>, direction: 'desc' } as const;
    const ofEach = parents.map((_id) =>
      this.list(collection, { ...filter, [parent]: _id }, newestFirst, { limit }),
    );
    return (await Promise.all(ofEach)).flat();
  }

  async commit(changes: readonly Change[]): Promise<Committed> {
    requireTime();
    const { failing, tables, affected } = this.attempt(changes);
    if (failing[0]) return { ok: false, failed: failing[0] };
    this.tables = tables;
    return { ok: true, affected };
  }

  async ping(): Promise<void> {
    requireTime();
  }

  /** All records of a collection, in insertion order. */
  all<R extends Stored>(collection: Collection<R>): R[] {
    return copyOf(this.read(collection));
  }

  /** The changes of a commit whose conditions fail; a store reports one of them. */
  failing(changes: readonly Change[]): readonly Change[] {
    return this.attempt(changes).failing;
  }

  /** A store with the same records. */
  copy(): ModelStore {
    const copy = new ModelStore();
    copy.tables = this.tables.copy();
    return copy;
  }

  /** Applies the changes whose conditions hold to a copy of the records. */
  private attempt(changes: readonly Change[]) {
    const tables = this.tables.copy();
    let affected = 0;
    const failing = inOrder(changes).filter((change) => {
      const made = tables.make(change);
      affected += Number(made);
      return made === false;
    });
    return { failing, tables, affected };
  }

  private select<R extends Stored>(collection: Collection<R>, filter: Filter<R>, by?: string): R[] {
    return this.tables.select(collection, filter, by) as R[];
  }

  private read<R extends Stored>(collection: Collection<R>): R[] {
    return this.tables.read(collection) as R[];
  }
}

function requireTime(): void {
  const { endsAt = Infinity } = requestContext.getStore() ?? {};
  if (performance.now() >= endsAt) throw storeUnavailable('deadline');
}
