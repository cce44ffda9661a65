import { ObjectId } from 'bson';
import { NOT_STORED } from '../storage/collection.js';

/** A new object id: 24 lower-case hexadecimal characters, unique across processes. */
export function newObjectId(): string {
  return new ObjectId().toHexString();
}

/** The id and the version of a record that is to be inserted. */
export const newRecord = () => ({ _id: newObjectId(), version: NOT_STORED });

/** 24 hexadecimal characters, in either case. */
export const OBJECT_ID_PATTERN = /^[0-9a-f]{24}$/i;

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
