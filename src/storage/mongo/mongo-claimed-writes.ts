import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type ClientSession, type Model, Types } from 'mongoose';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { ClaimTaken, type IdempotencyClaim } from '../../shared/idempotency/idempotency-claim.js';
import { MongoStore } from './mongo-store.js';
import { IdempotencyClaimRecord } from './schemas/idempotency-claim.schema.js';

/** How many expired claims a new one drops, so that no request pays for all of them. */
const DROPPED_AT_ONCE = 100;

/** Writes that a consumer may have claimed to be done once. */
@Injectable()
export class MongoClaimedWrites {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(IdempotencyClaimRecord.name)
    private readonly claims: Model<IdempotencyClaimRecord>,
    private readonly config: Config,
  ) {}

  /**
   * Runs a write as {@link MongoStore.transaction} does, and keeps its result in the same transaction
   * under the claim, if there is one.
   *
   * @param subject of a write without a claim; those with one number the records of their owner, so their
   *   subject is the owner
   * @param work returns its result as an object; a text or null is a refusal, of which nothing is kept
   * @throws ClaimTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  async transaction<T extends object | string | null>(
    claim: IdempotencyClaim | undefined,
    subject: string,
    work: (tx: ClientSession) => Promise<T>,
  ): Promise<T> {
    if (!claim) return this.store.transaction(subject, work);
    await this.dropExpired(claim.claimedAt);
    return this.store.transaction(claim.owner, async (tx) => {
      await this.check(claim, tx);
      const result = await work(tx);
      if (typeof result === 'object' && result !== null) await this.keep(claim, result, tx);
      return result;
    });
  }

  /** Outside of the transaction: claims that come at the same moment would conflict over the same ones. */
  private async dropExpired(now: Date): Promise<void> {
    const expired = { expiresAt: { $lte: now } };
    const some = await this.store.run(() =>
      this.claims.find(expired, { _id: 1 }).limit(DROPPED_AT_ONCE).lean(),
    );
    if (some.length === 0) return;
    const ids = some.map(({ _id }) => _id);
    await this.store.run(() => this.claims.deleteMany({ _id: { $in: ids }, ...expired }));
  }

  private async check({ _id, claimedAt }: IdempotencyClaim, tx: ClientSession): Promise<void> {
    const taken = await this.claims
      .exists({ _id: { $eq: _id }, expiresAt: { $gt: claimedAt } })
      .session(tx);
    if (taken) throw new ClaimTaken();
  }

  /**
   * In the place of an expired one of the same id, where that has not been dropped yet. One that was
   * committed after the check is a write conflict, not a duplicate: this begins anew, and finds it. So is
   * one that took the same place in the sequence.
   */
  private async keep(claim: IdempotencyClaim, result: object, tx: ClientSession): Promise<void> {
    const { _id, requestHash, claimedAt, expiresAt } = claim;
    const owner = new Types.ObjectId(claim.owner);
    const newest = { session: tx, sort: { sequence: -1 } } as const;
    const last = await this.claims.findOne({ owner }, { sequence: 1 }, newest).lean();
    const sequence = (last?.sequence ?? 0) + 1;
    await this.checkQuota(owner, sequence, claimedAt, tx);
    await this.claims.replaceOne(
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
    if (await this.claims.exists(earlier).session(tx)) {
      throw new DomainError('IDEMPOTENCY_QUOTA_REACHED');
    }
  }
}
