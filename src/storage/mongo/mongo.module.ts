import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  getConnectionToken,
  MongooseModule,
  type MongooseModuleFactoryOptions,
} from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Metrics } from '../../metrics/metrics.js';
import { RateLimits } from '../../limits/rate-limits.js';
import { Deadline } from '../../shared/request-context.js';
import type { AnyCollection } from '../collection.js';
import type { OpenMode } from '../open-mode.js';
import { Store } from '../store.js';
import { WritableStore } from '../writable-store.js';
import { Transactions } from './commits/transactions.js';
import { CONNECTION_OPTIONS } from './connection/connection-options.js';
import { measurePool } from './connection/pool-metrics.js';
import { PrimaryWatch } from './connection/primary-watch.js';
import { requireReplicaSet } from './connection/replica-set.js';
import { leaseSessions } from './connection/session-lease.js';
import { toStartupError } from './connection/startup-failure.js';
import { Statements } from './connection/statements.js';
import { databaseOf, documentsOf } from './documents/documents.js';
import { prepareDatabase } from './migrations/prepare-database.js';
import { MongoStore } from './mongo-store.js';
import { MongoRateLimits } from './rate-limits/mongo-rate-limits.js';

/** The store on MongoDB: a replica set or a sharded cluster. */
@Global()
@Module({
  providers: [
    Deadline,
    { provide: Store, useExisting: MongoStore },
    { provide: WritableStore, useExisting: MongoStore },
    { provide: RateLimits, useClass: MongoRateLimits },
  ],
  exports: [Store, WritableStore, RateLimits],
})
export class MongoModule {
  /**
   * The connection closes when the application has, after the server's last response.
   *
   * @throws StartupError when the application starts, where the service's promises cannot be kept
   */
  static forRoot(
    uri: string,
    collections: readonly AnyCollection[],
    mode: OpenMode,
  ): DynamicModule {
    const connection = MongooseModule.forRootAsync({ useFactory: () => connectionTo(uri) });
    const store = {
      provide: MongoStore,
      inject: [getConnectionToken(), Deadline, Metrics],
      useFactory: async (connection: Connection, deadline: Deadline, metrics: Metrics) => {
        try {
          await prepareDatabase(connection, collections, mode);
          return await openStore(connection, collections, deadline, metrics);
        } catch (error) {
          await connection.close();
          throw toStartupError(error);
        }
      },
    };
    const watch = mode === 'service' ? [PrimaryWatch] : [];
    return { module: MongoModule, imports: [connection], providers: [store, ...watch] };
  }
}

async function connectionTo(uri: string): Promise<MongooseModuleFactoryOptions> {
  await requireReplicaSet(uri);
  return { ...CONNECTION_OPTIONS, uri, connectionErrorFactory: toStartupError };
}

async function openStore(
  connection: Connection,
  collections: readonly AnyCollection[],
  deadline: Deadline,
  metrics: Metrics,
): Promise<MongoStore> {
  measurePool(connection.getClient(), metrics);
  const statements = new Statements(connection, deadline, metrics);
  const client = connection.getClient();
  const [first, second] = [client.startSession(), client.startSession()];
  await leaseSessions(connection, [first, second]);
  const database = databaseOf(connection);
  const commits = {
    ofLicenseChecks: new Transactions(first, database),
    others: new Transactions(second, database),
  };
  return new MongoStore(statements, commits, documentsOf(connection, collections), metrics);
}
