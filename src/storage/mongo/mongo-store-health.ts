import { Injectable } from '@nestjs/common';
import { StoreHealth } from '../../health/store-health.js';
import { MongoStore } from './mongo-store.js';

@Injectable()
export class MongoStoreHealth extends StoreHealth {
  constructor(private readonly store: MongoStore) {
    super();
  }

  ping(): Promise<void> {
    return this.store.ping();
  }
}
