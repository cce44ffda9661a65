import { Injectable } from '@nestjs/common';
import { EJSON } from 'bson';
import {
  ClaimTaken,
  type IdempotencyClaim,
  type KeptResult,
} from '../../shared/idempotency/idempotency-claim.js';
import { IdempotencyRepository } from '../../shared/idempotency/idempotency.repository.js';
import { insertInto, type Row, toRow } from './rows.js';
import { SqliteStore } from './sqlite-store.js';

/** How many expired claims a new one drops, so that no request pays for all of them. */
const DROPPED_AT_ONCE = 100;

const COLUMNS = ['_id', 'requestHash', 'result', 'expiresAt'];

@Injectable()
export class SqliteIdempotencyRepository extends IdempotencyRepository {
  private readonly select;
  private readonly insert;
  private readonly drop;

  constructor(store: SqliteStore) {
    super();
    this.select = store.prepare(
      'SELECT requestHash, result FROM idempotency_claims WHERE _id = ? AND expiresAt > ?',
    );
    this.insert = store.prepare(
      `${insertInto('idempotency_claims', COLUMNS)} ON CONFLICT (_id) DO UPDATE SET
         requestHash = $requestHash, result = $result, expiresAt = $expiresAt`,
    );
    this.drop = store.prepare(
      `DELETE FROM idempotency_claims WHERE _id IN
         (SELECT _id FROM idempotency_claims WHERE expiresAt <= ? LIMIT ${DROPPED_AT_ONCE})`,
    );
  }

  async find(_id: string, now: Date): Promise<KeptResult | null> {
    const row = this.select.get(_id, now.getTime()) as Row | undefined;
    if (!row) return null;
    return { requestHash: String(row.requestHash), result: EJSON.parse(String(row.result)) };
  }

  /**
   * Begins a write that is done under a claim.
   *
   * @throws ClaimTaken
   */
  check(claim: IdempotencyClaim | undefined): void {
    if (claim && this.select.get(claim._id, claim.claimedAt.getTime())) throw new ClaimTaken();
  }

  /** Ends a write that is done under a claim, and was not refused. Returns its result. */
  keep<T>(claim: IdempotencyClaim | undefined, result: T): T {
    if (!claim) return result;
    const { _id, requestHash, claimedAt, expiresAt } = claim;
    this.drop.run(claimedAt.getTime());
    this.insert.run(toRow({ _id, requestHash, result: EJSON.stringify(result), expiresAt }));
    return result;
  }
}
