import type { StoreUnderTest } from './store-under-test.js';
import { Stored } from './stored.js';

/**
 * Opens a store before the tests of the calling block, and closes it after them. After each test, its records and its
 * counters must agree, before and after the licenses of deleted projects are removed.
 *
 * @param options `forEachTest`: each test has a new store
 * @returns only for tests and hooks: the store is opened after the block is declared
 */
export function useStore<Store extends StoreUnderTest>(
  open: () => Promise<Store>,
  { forEachTest = false } = {},
): { store: Store; stored: Stored } {
  let opened: Store;
  (forEachTest ? beforeEach : beforeAll)(async () => void (opened = await open()));
  afterEach(async () => {
    expect(await opened.contradictions()).toStrictEqual([]);
    if (await opened.removeDeleted()) expect(await opened.contradictions()).toStrictEqual([]);
  });
  (forEachTest ? afterEach : afterAll)(() => opened?.close());
  const store = standInFor(() => opened);
  return { store, stored: new Stored(store) };
}

/** Stands for an object that a hook creates, so that the block can declare it as a constant. */
export const standInFor = <T extends object>(created: () => T): T =>
  new Proxy({} as T, { get: (_target, name) => Reflect.get(created(), name) as unknown });
