import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../shared/config/config.js';

/** The service owns a SQLite store; a tool may use it meanwhile, for accounts and sessions alone. */
export type StoreUser = 'owner' | 'tool';

/** Binds every port to the engine that the configuration names; the other one is not even loaded. */
@Module({})
export class StorageModule {
  static async forRoot(config: Config, user: StoreUser = 'owner'): Promise<DynamicModule> {
    const engine = config.mongodbUri
      ? (await import('./mongo/mongo.module.js')).MongoModule.forRoot(config.mongodbUri)
      : (await import('./sqlite/sqlite.module.js')).SqliteModule.forRoot(config.dataDir, user);
    return { module: StorageModule, imports: [engine] };
  }
}
