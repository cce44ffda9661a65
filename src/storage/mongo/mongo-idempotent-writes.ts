import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type ClientSession, type Model, Types } from 'mongoose';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import {
  IdempotencyKeyTaken,
  type IdempotencyRecord,
} from '../../shared/idempotency/idempotency-record.js';
import { MongoStore } from './mongo-store.js';
import { StoredIdempotencyRecord } from './schemas/idempotency-record.schema.js';

/** How many expired claims a new one drops, so that no request pays for all of them. */
const DROPPED_AT_ONCE = 100;

/** Writes that a consumer may have claimed to be done once. */
@Injectable()
export class MongoIdempotentWrites {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(StoredIdempotencyRecord.name)
    private readonly records: Model<StoredIdempotencyRecord>,
    private readonly config: Config,
  ) {}

  /**
   * Runs a write as {@link MongoStore.transaction} does, and keeps its result in the same transaction
   * under the claim, if there is one.
   *
   * @param subject of a write without a claim; those with one number the records of their owner, so their
   *   subject is the owner
   * @param work returns its result as an object; a text or null is a rejection, of which nothing is kept
   * @throws IdempotencyKeyTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  async transaction<T extends object | string | null>(
    idempotency: IdempotencyRecord | undefined,
    subject: string,
    work: (tx: ClientSession) => Promise<T>,
  ): Promise<T> {
    if (!idempotency) return this.store.transaction(subject, work);
    await this.dropExpired(idempotency.claimedAt);
    return this.store.transaction(idempotency.owner, async (tx) => {
      await this.check(idempotency, tx);
      const result = await work(tx);
      if (typeof result === 'object' && result !== null) await this.keep(idempotency, result, tx);
      return result;
    });
  }

  /** Outside of the transaction: claims that come at the same moment would conflict over the same ones. */
  private async dropExpired(now: Date): Promise<void> {
    const expired = { expiresAt: { $lte: now } };
    const some = await this.store.run(() =>
      this.records.find(expired, { _id: 1 }).limit(DROPPED_AT_ONCE).lean(),
    );
    if (some.length === 0) return;
    const ids = some.map(({ _id }) => _id);
    await this.store.run(() => this.records.deleteMany({ _id: { $in: ids }, ...expired }));
  }

  private async check({ _id, claimedAt }: IdempotencyRecord, tx: ClientSession): Promise<void> {
    const taken = await this.records
      .exists({ _id: { $eq: _id }, expiresAt: { $gt: claimedAt } })
      .session(tx);
    if (taken) throw new IdempotencyKeyTaken();
  }

  /**
   * In the place of an expired one of the same id, where that has not been dropped yet. One that was
   * committed after the check is a write conflict, not a duplicate: this begins anew, and finds it. So is
   * one that took the same place in the sequence.
   */
  private async keep(
    idempotency: IdempotencyRecord,
    result: object,
    tx: ClientSession,
  ): Promise<void> {
    const { _id, requestHash, claimedAt, expiresAt } = idempotency;
    const owner = new Types.ObjectId(idempotency.owner);
    const newest = { session: tx, sort: { sequence: -1 } } as const;
    const last = await this.records.findOne({ owner }, { sequence: 1 }, newest).lean();
    const sequence = (last?.sequence ?? 0) + 1;
    await this.checkQuota(owner, sequence, claimedAt, tx);
    await this.records.replaceOne(
      { _id: { $eq: _id }, expiresAt: { $lte: claimedAt } },
      { _id, owner, sequence, requestHash, result, expiresAt },
      { session: tx, upsert: true },
    );
  }

  /** All records live equally long, so an account has too many if its one a whole quota earlier has not expired. */
  private async checkQuota(
    owner: Types.ObjectId,
    sequence: number,
    now: Date,
    tx: ClientSession,
  ): Promise<void> {
    const quota = this.config.quotas.idempotencyRecords;
    if (quota === 0 || sequence <= quota) return;
    const earlier = { owner, sequence: sequence - quota, expiresAt: { $gt: now } };
    if (await this.records.exists(earlier).session(tx)) {
      throw new DomainError('IDEMPOTENCY_QUOTA_REACHED');
    }
  }
}
