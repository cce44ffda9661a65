import { Injectable } from '@nestjs/common';
import { EJSON } from 'bson';
import { Config } from '../../../shared/config/config.js';
import { DomainError } from '../../../shared/errors/domain-error.js';
import {
  IdempotencyKeyTaken,
  type IdempotencyRecord,
  type StoredResult,
} from '../../../shared/idempotency/idempotency-record.js';
import { IdempotencyRepository } from '../../../shared/idempotency/idempotency.repository.js';
import { type Row, toRow } from './rows.js';
import { SqliteStore } from '../connection/sqlite-store.js';

/** Maximum of expired records deleted by one request. */
const DELETED_AT_ONCE = 100;

const INSERTED = `
  INSERT INTO idempotency_records (_id, owner, requestHash, result, expiresAt, sequence)
  SELECT $_id, $owner, $requestHash, $result, $expiresAt, 1 + ifnull(max(sequence), 0)
  FROM idempotency_records WHERE owner = $owner`;

@Injectable()
export class SqliteIdempotencyRepository extends IdempotencyRepository {
  private readonly select;
  private readonly insert;
  private readonly deleteExpired;
  private readonly selectUnexpired;

  constructor(
    private readonly store: SqliteStore,
    private readonly config: Config,
  ) {
    super();
    this.select = store.prepare(
      'SELECT requestHash, result FROM idempotency_records WHERE _id = ? AND expiresAt > ?',
    );
    this.insert = store.prepare(
      `${INSERTED} ON CONFLICT (_id) DO UPDATE SET requestHash = $requestHash, result = $result,
         expiresAt = $expiresAt, sequence = excluded.sequence RETURNING sequence`,
    );
    this.deleteExpired = store.prepare(
      `DELETE FROM idempotency_records WHERE _id IN
         (SELECT _id FROM idempotency_records WHERE expiresAt <= ? LIMIT ${DELETED_AT_ONCE})`,
    );
    this.selectUnexpired = store.prepare(
      'SELECT 1 FROM idempotency_records WHERE owner = ? AND sequence = ? AND expiresAt > ?',
    );
  }

  async find(_id: string, now: Date): Promise<StoredResult | null> {
    const row = this.select.get(_id, now.getTime()) as Row | undefined;
    if (!row) return null;
    return { requestHash: String(row.requestHash), result: EJSON.parse(String(row.result)) };
  }

  /**
   * Runs a write, and stores its result if it has an idempotency key.
   *
   * @param work returns its result as an object; a text or null is a rejection and not stored
   * @throws IdempotencyKeyTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  runOnce<T extends object | string | null>(
    idempotency: IdempotencyRecord | undefined,
    work: () => T,
  ): Promise<T> {
    return this.store.write(() => {
      if (!idempotency) return work();
      const { _id, createdAt } = idempotency;
      if (this.select.get(_id, createdAt.getTime())) throw new IdempotencyKeyTaken();
      const result = work();
      if (typeof result === 'object' && result !== null) this.storeResult(idempotency, result);
      return result;
    });
  }

  private storeResult(idempotency: IdempotencyRecord, result: object): void {
    const { _id, owner, requestHash, createdAt, expiresAt } = idempotency;
    this.deleteExpired.run(createdAt.getTime());
    const record = { _id, owner, requestHash, result: EJSON.stringify(result), expiresAt };
    const { sequence } = this.insert.get(toRow(record)) as { sequence: number };
    this.checkQuota(idempotency, sequence);
  }

  /** All records live equally long: the quota is exceeded if the record `quota` numbers earlier has not expired. */
  private checkQuota({ owner, createdAt }: IdempotencyRecord, sequence: number): void {
    const quota = this.config.quotas.idempotencyRecords;
    if (quota === 0) return;
    if (this.selectUnexpired.get(owner, sequence - quota, createdAt.getTime())) {
      throw new DomainError('IDEMPOTENCY_QUOTA_REACHED');
    }
  }
}
