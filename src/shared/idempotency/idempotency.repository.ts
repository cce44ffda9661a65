import type { StoredResult } from './idempotency-record.js';

/** The port to the stored claims; they are written by the methods of other ports that take one. */
export abstract class IdempotencyRepository {
  /** What was kept under a claim that has not expired. */
  abstract find(_id: string, now: Date): Promise<StoredResult | null>;
}
