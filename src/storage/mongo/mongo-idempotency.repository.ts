import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { KeptResult } from '../../shared/idempotency/idempotency-claim.js';
import { IdempotencyRepository } from '../../shared/idempotency/idempotency.repository.js';
import { MongoStore } from './mongo-store.js';
import { IdempotencyClaimRecord } from './schemas/idempotency-claim.schema.js';

@Injectable()
export class MongoIdempotencyRepository extends IdempotencyRepository {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(IdempotencyClaimRecord.name)
    private readonly claims: Model<IdempotencyClaimRecord>,
  ) {
    super();
  }

  async find(_id: string, now: Date): Promise<KeptResult | null> {
    const record = await this.store.run(() =>
      this.claims.findOne({ _id: { $eq: _id }, expiresAt: { $gt: now } }).lean(),
    );
    return record && { requestHash: record.requestHash, result: record.result };
  }
}
