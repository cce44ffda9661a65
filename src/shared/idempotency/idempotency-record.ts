import type { AccountId } from '../ids/account-id.js';

const HOURS = 60 * 60 * 1000;

/** How long the response to an idempotency key is kept, in milliseconds: 24 hours. */
export const IDEMPOTENCY_TTL_MS = 24 * HOURS;

/**
 * Ensures that a write is done once. A port's method that takes a record stores it, with the method's result, in
 * the transaction of the write; a rejection is not stored.
 */
export interface IdempotencyRecord {
  /** Keyed hash of the account and the idempotency key: the same key of another account is another record. */
  readonly _id: string;
  /** The account; its idempotency records have a quota. */
  readonly owner: AccountId;
  /** Keyed hash of the request. */
  readonly requestHash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A stored record with the result of its write. */
export interface StoredResult {
  readonly requestHash: string;
  /** The return value of the port's method. */
  readonly result: unknown;
}

/** Thrown by a port if another write with the same record came first. Nothing was changed. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'IdempotencyKeyTaken';
}
