import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Quotas } from '../../../shared/config/config.js';
import { DomainError } from '../../../shared/errors/domain-error.js';
import {
  IdempotencyKeyTaken,
  type IdempotencyRecord,
  type StoredResult,
} from '../../../shared/idempotency/idempotency-record.js';
import { IdempotencyRepository } from '../../../shared/idempotency/idempotency.repository.js';
import { MongoStore, type Transaction } from '../connection/mongo-store.js';

@Injectable()
export class MongoIdempotencyRepository extends IdempotencyRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  async find(_id: string, now: Date): Promise<StoredResult | null> {
    const record = await this.store.run(({ idempotencyRecords }) =>
      idempotencyRecords.findOne({ _id: { $eq: _id }, expiresAt: { $gt: now } }).lean(),
    );
    return record && { requestHash: record.requestHash, result: record.result };
  }
}

/**
 * Runs a write in a transaction, which also stores its result if it has an idempotency key.
 *
 * @param key of the transaction without an idempotency key; with one, it is the account, whose records are numbered
 * @param work returns its result as an object; a text or null is a rejection and not stored
 * @throws IdempotencyKeyTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
 */
export async function runOnce<T extends object | string | null>(
  store: MongoStore,
  quotas: Quotas,
  idempotency: IdempotencyRecord | undefined,
  key: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!idempotency) return store.transaction(key, work);
  const outcome = await store.transaction(idempotency.owner, async (tx) => {
    if (await isUsed(tx, idempotency)) return { isTaken: true } as const;
    const result = await work(tx);
    if (typeof result === 'object' && result !== null) {
      await storeResult(tx, idempotency, result, quotas);
    }
    return { isTaken: false, result } as const;
  });
  // Thrown after the commit: until then the record may be on the primary alone, where other reads do not find it.
  if (outcome.isTaken) throw new IdempotencyKeyTaken();
  return outcome.result;
}

async function isUsed(
  { idempotencyRecords, session }: Transaction,
  { _id, createdAt }: IdempotencyRecord,
): Promise<boolean> {
  const unexpired = { _id: { $eq: _id }, expiresAt: { $gt: createdAt } };
  return (await idempotencyRecords.exists(unexpired).session(session)) !== null;
}

/**
 * Replaces an expired record of the same id that has not been deleted yet. A record of the same id, or with the same
 * sequence number, that was committed since the check is a write conflict, not a duplicate: the transaction is
 * retried and finds it.
 */
async function storeResult(
  tx: Transaction,
  { _id, owner: account, requestHash, createdAt, expiresAt }: IdempotencyRecord,
  result: object,
  quotas: Quotas,
): Promise<void> {
  const { idempotencyRecords, session } = tx;
  const owner = new Types.ObjectId(account);
  const newest = { session, sort: { sequence: -1 } } as const;
  const last = await idempotencyRecords.findOne({ owner }, { sequence: 1 }, newest).lean();
  const sequence = (last?.sequence ?? 0) + 1;
  const quota = quotas.idempotencyRecords;
  if (quota > 0 && sequence > quota) {
    // All records live equally long: the quota is exceeded if the record `quota` numbers earlier has not expired.
    const earlier = { owner, sequence: sequence - quota, expiresAt: { $gt: createdAt } };
    if (await idempotencyRecords.exists(earlier).session(session)) {
      throw new DomainError('IDEMPOTENCY_QUOTA_REACHED');
    }
  }
  await idempotencyRecords.replaceOne(
    { _id: { $eq: _id }, expiresAt: { $lte: createdAt } },
    { _id, owner, sequence, requestHash, result, expiresAt },
    { session, upsert: true },
  );
}
