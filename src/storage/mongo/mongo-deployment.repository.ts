import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import {
  type DeploymentItem,
  DeploymentRepository,
} from '../../shared/sealing/deployment.repository.js';
import { MongoStore } from './mongo-store.js';
import { DeploymentRecord } from './schemas/deployment.schema.js';

@Injectable()
export class MongoDeploymentRepository extends DeploymentRepository {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(DeploymentRecord.name) private readonly items: Model<DeploymentRecord>,
  ) {
    super();
  }

  async find(item: DeploymentItem): Promise<string | null> {
    const record = await this.store.run(() => this.items.findOne({ _id: { $eq: item } }).lean());
    return record?.value ?? null;
  }

  async keepFirst(item: DeploymentItem, value: string): Promise<string> {
    const kept = await this.store.run(() =>
      this.items
        .findOneAndUpdate(
          { _id: { $eq: item } },
          { $setOnInsert: { value } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean(),
    );
    return kept.value;
  }

  async replace(item: DeploymentItem, expected: string, value: string): Promise<boolean> {
    const { matchedCount } = await this.store.run(() =>
      this.items.updateOne({ _id: { $eq: item }, value: { $eq: expected } }, { $set: { value } }),
    );
    return matchedCount === 1;
  }
}
