import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model } from 'mongoose';
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
  ) {}

  /**
   * Runs a write as {@link MongoStore.transaction} does, and keeps its result in the same transaction
   * under the claim, if there is one.
   *
   * @param work returns its result as an object; a text or null is a refusal, of which nothing is kept
   * @throws ClaimTaken
   */
  async transaction<T extends object | string | null>(
    claim: IdempotencyClaim | undefined,
    subject: string,
    work: (tx: ClientSession) => Promise<T>,
  ): Promise<T> {
    if (!claim) return this.store.transaction(subject, work);
    await this.dropExpired(claim.claimedAt);
    return this.store.transaction(subject, async (tx) => {
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
   * committed after the check is a write conflict, not a duplicate: this begins anew, and finds it.
   */
  private async keep(claim: IdempotencyClaim, result: object, tx: ClientSession): Promise<void> {
    const { _id, requestHash, claimedAt, expiresAt } = claim;
    await this.claims.replaceOne(
      { _id: { $eq: _id }, expiresAt: { $lte: claimedAt } },
      { _id, requestHash, result, expiresAt },
      { session: tx, upsert: true },
    );
  }
}
