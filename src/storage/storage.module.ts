import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../shared/config/config.js';

/** Binds every port to the engine that the configuration names; the other one is not even loaded. */
@Module({})
export class StorageModule {
  /** @param user the service owns a SQLite store; a tool may use it meanwhile, for accounts alone */
  static async forRoot(config: Config, user: 'owner' | 'tool' = 'owner'): Promise<DynamicModule> {
    const engine = config.mongodbUri
      ? (await import('./mongo/mongo.module.js')).MongoModule.forRoot(config.mongodbUri)
      : (await import('./sqlite/sqlite.module.js')).SqliteModule.forRoot(config.dataDir, user);
    return { module: StorageModule, imports: [engine] };
  }
}
