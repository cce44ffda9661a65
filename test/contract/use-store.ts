import type { StoreUnderTest } from './store-under-test.js';
import { Stored } from './stored.js';

/** Opens a store for the tests of the calling block. After each test, its records and its counters must agree. */
export function useStore<Store extends StoreUnderTest>(
  open: () => Promise<Store>,
  use: (store: Store, stored: Stored) => void,
): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
    use(store, new Stored(store));
  });
  afterAll(() => store.close());
  afterEach(async () => expect(await store.contradictions()).toStrictEqual([]));
}
