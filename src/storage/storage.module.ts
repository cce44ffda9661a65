import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../shared/config/config.js';
import type { StoreUser } from './store-user.js';

/** Binds every port to the engine of the configuration; the other one is not loaded. */
@Module({})
export class StorageModule {
  static async forRoot(config: Config, user: StoreUser = 'service'): Promise<DynamicModule> {
    const engine = config.mongodbUri
      ? (await import('./mongo/mongo.module.js')).MongoModule.forRoot(config.mongodbUri, user)
      : (await import('./sqlite/sqlite.module.js')).SqliteModule.forRoot(config.dataDir, user);
    return { module: StorageModule, imports: [engine] };
  }
}
