import { removeAll } from '../../src/storage/changes.js';
import type { Store } from '../../src/storage/store.js';
import { COLLECTIONS } from './records.js';
import type { Engine, StoreUnderTest } from './store-under-test.js';

/** The stores of this spec file: opening one takes longer than to empty it. */
const stores = new Map<Engine, Promise<StoreUnderTest>>();

afterAll(async () => {
  for (const store of stores.values()) await (await store).close();
});

/**
 * Opens a store before the tests of the calling block, and empties it before each of them.
 *
 * @returns only for tests and hooks: the store is opened after the block is declared
 */
export function useStore(engine: Engine): { store: Store; opened: StoreUnderTest } {
  let opened: StoreUnderTest;
  beforeAll(async () => {
    if (!stores.has(engine)) stores.set(engine, engine.open());
    opened = await stores.get(engine)!;
  });
  beforeEach(() => empty(opened.store));
  return { store: standInFor(() => opened.store), opened: standInFor(() => opened) };
}

/** Removes every record. */
export async function empty(store: Store): Promise<void> {
  const everything = COLLECTIONS.map((each) => removeAll(each, {}));
  let committed = await store.commit(everything);
  while (committed.ok && committed.affected > 0) committed = await store.commit(everything);
}

/** Stands for an object that a hook creates, so that the block can declare it as a constant. */
export const standInFor = <T extends object>(created: () => T): T =>
  new Proxy({} as T, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(created(), name);
      return typeof value === 'function' ? (value.bind(created()) as unknown) : value;
    },
  });
