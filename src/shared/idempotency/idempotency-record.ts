import { collection, type RecordOf, field } from '../../storage/collection.js';
import type { AccountId } from '../ids.js';

const HOURS = 60 * 60 * 1000;

/** How long the response to an idempotency key is stored, in milliseconds: 24 hours. */
export const IDEMPOTENCY_TTL_MS = 24 * HOURS;

/** Makes a write execute once: the result is stored in the same commit as the changes. Rejections are not stored. */
export interface IdempotencyRecord {
  /** Keyed hash of caller and idempotency key, so identical keys of different members or API keys do not collide. */
  readonly _id: string;
  /** The account, which has a quota of idempotency records. */
  readonly owner: AccountId;
  /** Keyed hash of the request. */
  readonly requestHash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const FIELDS = {
  _id: field.text(),
  owner: field.id<AccountId>(),
  requestHash: field.text(),
  result: field.json(),
  expiresAt: field.time(),
};

/** A stored record with the result of its decision. */
export type StoredResult = RecordOf<typeof FIELDS>;

export const IDEMPOTENCY_RECORDS = collection<StoredResult>('idempotency_records', {
  fields: FIELDS,
  indexes: [['owner', 'expiresAt'], ['expiresAt']],
  account: 'owner',
  expires: 'expiresAt',
});
