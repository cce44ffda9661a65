import type { StoredResult } from './idempotency-record.js';

/** The port to stored idempotency records. Methods of other ports write them, each with its own change. */
export abstract class IdempotencyRepository {
  /** The stored result of a record that has not expired, or null. */
  abstract find(_id: string, now: Date): Promise<StoredResult | null>;
}
