import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  getConnectionToken,
  MongooseModule,
  type MongooseModuleFactoryOptions,
} from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Metrics } from '../../metrics/metrics.js';
import { RateLimits } from '../../rate-limits/rate-limits.js';
import { Deadline } from '../../shared/request-context.js';
import type { AnyCollection } from '../collection.js';
import type { OpenMode } from '../open-mode.js';
import { Store } from '../store.js';
import { Committer } from './commits/committer.js';
import { Lane } from './commits/lane.js';
import { CONNECTION_OPTIONS } from './connection/connection-options.js';
import { measurePool } from './connection/pool-metrics.js';
import { PrimaryWatch } from './connection/primary-watch.js';
import { requireReplicaSet } from './connection/replica-set.js';
import { SessionLease } from './connection/session-lease.js';
import { toStartupError } from './connection/startup-failure.js';
import { type Priority, Statements } from './connection/statements.js';
import { databaseOf, documentsOf } from './documents/documents.js';
import { prepareDatabase } from './migrations/prepare-database.js';
import { MongoStore } from './mongo-store.js';
import { MongoRateLimits } from './rate-limits/mongo-rate-limits.js';

/** The transactions at a time. License checks have lanes that other work cannot delay. */
const LANES: readonly Priority[] = ['license check', 'license check', 'other', 'other', 'other'];

/** The store on MongoDB: a replica set or a sharded cluster. */
@Global()
@Module({
  providers: [
    Deadline,
    { provide: Store, useExisting: MongoStore },
    { provide: RateLimits, useClass: MongoRateLimits },
  ],
  exports: [Store, RateLimits],
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
  const sessions = LANES.map(() => connection.getClient().startSession());
  await new SessionLease(connection, sessions).begin();
  const database = databaseOf(connection);
  const lanes = LANES.map((priority, index) => new Lane(priority, sessions[index]!, database));
  const committer = new Committer(statements, lanes);
  return new MongoStore(statements, committer, documentsOf(connection, collections), metrics);
}
