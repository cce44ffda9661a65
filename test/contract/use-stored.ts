import { insert } from '../../src/storage/changes.js';
import type { Collection, Stored } from '../../src/storage/collection.js';
import type { Engine } from './store-under-test.js';
import { useStore } from './use-store.js';

/** As {@link useStore}, with short forms of what most tests do. */
export function useStored(engine: Engine) {
  const { store, opened } = useStore(engine);

  /** The record as it is stored now. */
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
  return { store, opened, stored, found };
}
