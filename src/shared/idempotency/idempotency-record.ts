import { collection, id, json, type RecordOf, text, time } from '../../storage/collection.js';
import type { AccountId } from '../ids.js';

const HOURS = 60 * 60 * 1000;

/** How long the response to an idempotency key is kept, in milliseconds: 24 hours. */
export const IDEMPOTENCY_TTL_MS = 24 * HOURS;

/** Ensures that a write is executed once: its result is stored in the commit of its changes. A rejection is not stored. */
export interface IdempotencyRecord {
  /** Keyed hash of the caller and the idempotency key: the same key of another member or API key is another record. */
  readonly _id: string;
  /** The account; its idempotency records have a quota. */
  readonly owner: AccountId;
  /** Keyed hash of the request. */
  readonly requestHash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const FIELDS = {
  _id: text(),
  owner: id<AccountId>(),
  requestHash: text(),
  result: json(),
  expiresAt: time(),
};

/** A stored record, with the result of its decision. */
export type StoredResult = RecordOf<typeof FIELDS>;

export const IDEMPOTENCY_RECORDS = collection<StoredResult>('idempotency_records', {
  fields: FIELDS,
  indexes: [['owner', 'expiresAt'], ['expiresAt']],
  account: 'owner',
  expires: 'expiresAt',
});
