import type { AccountId } from '../shared/ids/account-id.js';
import type { Collection, Stored } from './collection.js';
import type { Store } from './store.js';

/** A record if it belongs to an account, else null: as if it did not exist. */
export async function findOwned<R extends Stored>(
  store: Store,
  collection: Collection<R>,
  _id: string,
  accountId: AccountId,
): Promise<R | null> {
  const record = await store.find(collection, { _id } as Partial<R>);
  return record?.[collection.account!] === accountId ? record : null;
}
