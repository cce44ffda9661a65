import { type Change, insert } from '../../src/storage/changes.js';
import type { Collection, Stored } from '../../src/storage/collection.js';
import type { Store } from '../../src/storage/store.js';
import type { Engine } from './store-under-test.js';
import { useStore } from './use-store.js';

/** As {@link useStore}, with short forms of what most tests do. */
export function useStored(engine: Engine) {
  const { store, opened } = useStore(engine);
  return { store, opened, ...shortForms(store) };
}

const shortForms = (store: Store) => ({
  /** Stores a record, and returns it with its version. */
  stored: async <R extends Stored>(collection: Collection<R>, record: R): Promise<R> => {
    expect(await store.commit([insert(collection, record)])).toMatchObject({ ok: true });
    return find(store, collection, record);
  },

  /** The record as it is stored now. */
  found: <R extends Stored>(collection: Collection<R>, record: R) =>
    find(store, collection, record),

  /** The change of a commit that has failed; undefined where none has. */
  outcomeOf: async (changes: readonly Change[]): Promise<Change | undefined> => {
    const committed = await store.commit(changes);
    return committed.ok ? undefined : committed.failed;
  },
});

async function find<R extends Stored>(
  store: Store,
  collection: Collection<R>,
  { _id }: R,
): Promise<R> {
  const record = await store.find(collection, { _id } as Partial<R>);
  if (!record) throw new Error(`${collection.name} has no ${_id}`);
  return record;
}
