import { Injectable } from '@nestjs/common';
import { StoreHealth } from '../../health/store-health.js';
import { SqliteStore } from './sqlite-store.js';

@Injectable()
export class SqliteStoreHealth extends StoreHealth {
  private readonly select;

  constructor(store: SqliteStore) {
    super();
    this.select = store.prepare('SELECT item FROM deployment LIMIT 1');
  }

  async ping(): Promise<void> {
    this.select.get();
  }
}
