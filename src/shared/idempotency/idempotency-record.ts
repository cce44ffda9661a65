import type { AccountId } from '../ids/account-id.js';

const HOURS = 60 * 60 * 1000;

/** How long the response to an idempotency key is kept, in milliseconds: 24 hours. */
export const IDEMPOTENCY_TTL_MS = 24 * HOURS;

/**
 * A consumer's claim that a write is done once. A port's method that takes one stores it with its
 * result in the transaction of the change; a rejection is not stored.
 */
export interface IdempotencyRecord {
  /** Keyed hash of the user and the idempotency key: another user's key is another claim. */
  readonly _id: string;
  /** The user, whose idempotency records have a quota. */
  readonly owner: AccountId;
  /** Keyed hash of the request that it is for. */
  readonly requestHash: string;
  readonly claimedAt: Date;
  readonly expiresAt: Date;
}

/** A claim as it was stored, with the result of the write that was done under it. */
export interface StoredResult {
  readonly requestHash: string;
  /** What the port's method has returned. */
  readonly result: unknown;
}

/** Thrown by a port where another request's write under the same claim came first. Nothing was changed. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'ClaimTaken';
}
