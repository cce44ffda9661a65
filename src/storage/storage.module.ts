import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Config } from '../shared/config/config.js';
import type { AnyCollection } from './collection.js';
import { Decisions } from './decisions.js';
import type { OpenMode } from './store.js';

/** Provides the store of the configured engine, and decisions on it, to every feature. The other engine is not loaded. */
@Global()
@Module({})
export class StorageModule {
  /** @param collections every kind of record */
  static async forRoot(
    { mongodbUri, dataDir }: Config,
    collections: readonly AnyCollection[],
    mode: OpenMode = 'service',
  ): Promise<DynamicModule> {
    const engine = mongodbUri
      ? (await import('./mongo/mongo.module.js')).MongoModule.forRoot(mongodbUri, collections, mode)
      : (await import('./sqlite/sqlite.module.js')).SqliteModule.forRoot(
          dataDir,
          collections,
          mode,
        );
    return {
      module: StorageModule,
      imports: [engine],
      providers: [Decisions],
      exports: [Decisions],
    };
  }
}
