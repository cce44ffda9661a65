import { Injectable } from '@nestjs/common';
import {
  type DeploymentItem,
  DeploymentRepository,
} from '../../../shared/sealing/deployment.repository.js';
import { MongoStore } from '../connection/mongo-store.js';

@Injectable()
export class MongoDeploymentRepository extends DeploymentRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  async find(item: DeploymentItem): Promise<string | null> {
    const record = await this.store.run(({ deployment }) =>
      deployment.findOne({ _id: { $eq: item } }).lean(),
    );
    return record?.value ?? null;
  }

  async keepFirst(item: DeploymentItem, value: string): Promise<string> {
    const kept = await this.store.run(({ deployment }) =>
      deployment
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
    const { matchedCount } = await this.store.run(({ deployment }) =>
      deployment.updateOne({ _id: { $eq: item }, value: { $eq: expected } }, { $set: { value } }),
    );
    return matchedCount === 1;
  }
}
