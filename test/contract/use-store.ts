import { insert, removeAll } from '../../src/storage/changes.js';
import type { Collection, Stored } from '../../src/storage/collection.js';
import type { WritableStore } from '../../src/storage/writable-store.js';
import { COLLECTIONS } from './records.js';
import type { Engine, StoreUnderTest } from './engines.js';

/** The stores of this spec file: opening one takes longer than emptying it. */
const stores = new Map<Engine, Promise<StoreUnderTest>>();

afterAll(async () => {
  for (const store of stores.values()) await (await store).close();
});

/**
 * Opens a store before the tests of the calling block, and empties it before each test.
 *
 * @returns for use in tests and hooks only: the store opens after the block is declared
 */
export function useStore(engine: Engine) {
  let opened: StoreUnderTest;
  beforeAll(async () => {
    if (!stores.has(engine)) stores.set(engine, engine.open());
    opened = await stores.get(engine)!;
  });
  beforeEach(() => empty(opened.store));
  const store: WritableStore = standInFor(() => opened.store);
  /** The record as stored now. */
  const found = async <R extends Stored>(collection: Collection<R>, { _id }: R): Promise<R> => {
    const record = await store.find(collection, { _id } as Partial<R>);
    if (!record) throw new Error(`${collection.name} has no ${_id}`);
    return record;
  };
  /** Stores a record, and returns it with its version. */
  const stored = async <R extends Stored>(collection: Collection<R>, record: R): Promise<R> => {
    expect(await store.commit([insert(collection, record)])).toMatchObject({ ok: true });
    return found(collection, record);
  };
  return { store, opened: standInFor(() => opened), found, stored };
}

/** Removes every record. */
export async function empty(store: WritableStore): Promise<void> {
  const everything = COLLECTIONS.map((each) => removeAll(each, {}));
  let committed = await store.commit(everything);
  while (committed.ok && committed.affected > 0) committed = await store.commit(everything);
}

/** Stands for an object created by a hook, so that the block can declare it as a constant. */
export const standInFor = <T extends object>(created: () => T): T =>
  new Proxy({} as T, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(created(), name);
      return typeof value === 'function' ? (value.bind(created()) as unknown) : value;
    },
  });

/** Like {@link useStore}, with more instances on the same store. */
export function useInstances(engine: Engine, count: number) {
  const { opened } = useStore(engine);
  const joined: StoreUnderTest[] = [];
  beforeAll(async () => {
    while (joined.length < count - 1) joined.push(await opened.join());
  });
  afterAll(() => Promise.all(joined.map((instance) => instance.close())));
  const others = Array.from({ length: count - 1 }, (_, index) => standInFor(() => joined[index]!));
  const instances = [opened, ...others];
  const stores = instances.map((instance) => standInFor(() => instance.store));
  return { stores, instances };
}
