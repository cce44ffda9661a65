import { type DynamicModule, Global, Module } from '@nestjs/common';
import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { RateLimits } from '../../limits/rate-limits.js';
import { Metrics } from '../../metrics/metrics.js';
import { Deadline } from '../../shared/request-context.js';
import type { AnyCollection } from '../collection.js';
import { StoreMetrics } from '../store-metrics.js';
import { type OpenMode, Store } from '../store.js';
import { WritableStore } from '../writable-store.js';
import { connectionOptions } from './connect.js';
import { MongoRateLimits } from './mongo-rate-limits.js';
import { MongoStore } from './mongo-store.js';
import { prepareDatabase, readSchema } from './prepare-database.js';
import { PrimaryWatch } from './primary-watch.js';
import { toStartupError } from './startup-failure.js';
import { Statements } from './statements.js';

/** The store on MongoDB: a replica set or a sharded cluster. */
@Global()
@Module({
  providers: [
    Deadline,
    Statements,
    {
      provide: StoreMetrics,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => new StoreMetrics(metrics, 'mongodb'),
    },
    { provide: Store, useExisting: MongoStore },
    { provide: WritableStore, useExisting: MongoStore },
    { provide: RateLimits, useClass: MongoRateLimits },
  ],
  exports: [Store, WritableStore, RateLimits],
})
export class MongoModule {
  /**
   * Closes the connection after the server's last response.
   *
   * @throws StartupError at startup if the service's guarantees cannot be met
   */
  static forRoot(
    uri: string,
    collections: readonly AnyCollection[],
    mode: OpenMode,
  ): DynamicModule {
    const connection = MongooseModule.forRootAsync({ useFactory: () => connectionOptions(uri) });
    const store = {
      provide: MongoStore,
      inject: [getConnectionToken(), Statements, StoreMetrics],
      useFactory: async (opened: Connection, statements: Statements, metrics: StoreMetrics) => {
        try {
          await prepareDatabase(opened, collections, mode);
          const store = await MongoStore.open(opened.getClient(), collections, statements, metrics);
          // Again, because only from now on do migrations wait for this instance.
          await readSchema(opened);
          return store;
        } catch (error) {
          await opened.close();
          throw toStartupError(error);
        }
      },
    };
    const watch = mode === 'service' ? [PrimaryWatch] : [];
    return { module: MongoModule, imports: [connection], providers: [store, ...watch] };
  }
}
