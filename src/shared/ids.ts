import { ObjectId } from 'bson';
import { NOT_STORED } from '../storage/collection.js';

/** A new object id: 24 lower-case hexadecimal characters, unique across processes. */
export function newObjectId(): string {
  return new ObjectId().toHexString();
}

/** The id and version of a record to insert. */
export const newRecord = () => ({ _id: newObjectId(), version: NOT_STORED });

/** 24 hex digits, in either case. */
export const OBJECT_ID_PATTERN = /^[0-9a-f]{24}$/i;

declare const brand: unique symbol;

/**
 * The id of an account, which owns clients, projects and licenses: 24 lower-case hex digits. A branded
 * type, so a record id cannot be passed as an account id.
 */
export type AccountId = string & { readonly [brand]: 'AccountId' };

export const newAccountId = (): AccountId => toAccountId(newObjectId());

/** Casts an id known to be an account's: from a stored record or a verified token. */
export const toAccountId = (id: string): AccountId => id as AccountId;

/** The initial fields of a new record of an account. */
export const newOwned = (owner: AccountId, now: Date) => ({
  ...newRecord(),
  owner,
  createdAt: now,
  updatedAt: now,
});
