import type { AccountId } from '../shared/ids.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { ErrorCode } from '../shared/errors/error-codes.js';
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

/** @throws DomainError with this code if there is none */
export async function getOwned<R extends Stored>(
  store: Store,
  collection: Collection<R>,
  _id: string,
  accountId: AccountId,
  missing: ErrorCode,
): Promise<R> {
  const record = await findOwned(store, collection, _id, accountId);
  if (!record) throw new DomainError(missing);
  return record;
}
