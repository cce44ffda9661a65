import { newObjectId, newRecord } from './object-id.js';

declare const brand: unique symbol;

/**
 * The id of an account, to which clients, projects and licenses belong: 24 lower-case hexadecimal characters.
 * Branded in its type, so that the id of a record cannot be passed as the id of its owner.
 */
export type AccountId = string & { readonly [brand]: 'AccountId' };

export const newAccountId = (): AccountId => toAccountId(newObjectId());

/** For an id that is known to be an account's: from a stored record or a verified token. */
export const toAccountId = (id: string): AccountId => id as AccountId;

/** What a new record of an account begins with. */
export const newOwned = (owner: AccountId, now: Date) => ({
  ...newRecord(),
  owner,
  createdAt: now,
  updatedAt: now,
});
