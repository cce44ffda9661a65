import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { StoredResult } from '../../shared/idempotency/idempotency-record.js';
import { IdempotencyRepository } from '../../shared/idempotency/idempotency.repository.js';
import { MongoStore } from './mongo-store.js';
import { StoredIdempotencyRecord } from './schemas/idempotency-record.schema.js';

@Injectable()
export class MongoIdempotencyRepository extends IdempotencyRepository {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(StoredIdempotencyRecord.name)
    private readonly records: Model<StoredIdempotencyRecord>,
  ) {
    super();
  }

  async find(_id: string, now: Date): Promise<StoredResult | null> {
    const record = await this.store.run(() =>
      this.records.findOne({ _id: { $eq: _id }, expiresAt: { $gt: now } }).lean(),
    );
    return record && { requestHash: record.requestHash, result: record.result };
  }
}
