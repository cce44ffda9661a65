import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  getConnectionToken,
  MongooseModule,
  type MongooseModuleFactoryOptions,
} from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { AccountDeletionRepository } from '../../auth/accounts/account-deletion.repository.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { UsersRepository } from '../../auth/accounts/users.repository.js';
import { SigningKeysRepository } from '../../certificates/signing-keys/signing-keys.repository.js';
import { ClientsRepository } from '../../clients/clients.repository.js';
import { DashboardRepository } from '../../dashboard/dashboard.repository.js';
import { StoreHealth } from '../../health/store-health.js';
import { LicenseEventsRepository } from '../../licenses/license-events.repository.js';
import { LicensesRepository } from '../../licenses/licenses.repository.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { DeletedLicensesRepository } from '../../shared/deletion/deleted-licenses.repository.js';
import { DeploymentRepository } from '../../shared/sealing/deployment.repository.js';
import { IdempotencyRepository } from '../../shared/idempotency/idempotency.repository.js';
import { Metrics } from '../../shared/metrics/metrics.js';
import { RateLimitWindows } from '../../shared/rate-limit/rate-limit-windows.js';
import { Deadline } from '../../shared/request-context.js';
import { PORTS } from '../ports.js';
import type { StoreUser } from '../store-user.js';
import { CONNECTION_OPTIONS } from './connection/connection-options.js';
import { MongoStore } from './connection/mongo-store.js';
import { requireFullGuarantees } from './connection/mongo-uri.js';
import { PrimaryWatch } from './connection/primary-watch.js';
import { requireReplicaSet } from './connection/replica-set.js';
import { toStartupError } from './connection/startup-failure.js';
import { BackgroundMove } from './migrations/background-move.js';
import { MongoAccountDeletionRepository } from './repositories/mongo-account-deletion.repository.js';
import { MongoClientsRepository } from './repositories/mongo-clients.repository.js';
import { MongoDashboardRepository } from './repositories/mongo-dashboard.repository.js';
import { MongoDeletedLicensesRepository } from './repositories/mongo-deleted-licenses.repository.js';
import { MongoDeploymentRepository } from './repositories/mongo-deployment.repository.js';
import { MongoIdempotencyRepository } from './repositories/mongo-idempotency.repository.js';
import { MongoLicenseEventsRepository } from './repositories/mongo-license-events.repository.js';
import { MongoLicensesRepository } from './repositories/mongo-licenses.repository.js';
import { MongoProjectsRepository } from './repositories/mongo-projects.repository.js';
import { MongoRateLimitWindows } from './repositories/mongo-rate-limit-windows.js';
import { MongoSessionsRepository } from './repositories/mongo-sessions.repository.js';
import { MongoSigningKeysRepository } from './repositories/mongo-signing-keys.repository.js';
import { MongoUsersRepository } from './repositories/mongo-users.repository.js';

/** The ports on MongoDB: a replica set or a sharded cluster. */
@Global()
@Module({
  providers: [
    Deadline,
    { provide: DeploymentRepository, useClass: MongoDeploymentRepository },
    { provide: UsersRepository, useClass: MongoUsersRepository },
    { provide: SessionsRepository, useClass: MongoSessionsRepository },
    { provide: AccountDeletionRepository, useClass: MongoAccountDeletionRepository },
    { provide: ClientsRepository, useClass: MongoClientsRepository },
    { provide: ProjectsRepository, useClass: MongoProjectsRepository },
    { provide: LicensesRepository, useClass: MongoLicensesRepository },
    { provide: DeletedLicensesRepository, useClass: MongoDeletedLicensesRepository },
    { provide: LicenseEventsRepository, useClass: MongoLicenseEventsRepository },
    { provide: SigningKeysRepository, useClass: MongoSigningKeysRepository },
    { provide: DashboardRepository, useClass: MongoDashboardRepository },
    { provide: IdempotencyRepository, useClass: MongoIdempotencyRepository },
    { provide: RateLimitWindows, useClass: MongoRateLimitWindows },
    { provide: StoreHealth, useExisting: MongoStore },
  ],
  exports: PORTS,
})
export class MongoModule {
  /**
   * The connection closes when the application has, after the server's last response.
   *
   * @throws StartupError when the application starts, where the service's promises cannot be kept
   */
  static forRoot(uri: string, user: StoreUser): DynamicModule {
    const connection = MongooseModule.forRootAsync({ useFactory: () => connectionTo(uri) });
    const store = {
      provide: MongoStore,
      inject: [getConnectionToken(), Deadline, Metrics],
      useFactory: (...args: [Connection, Deadline, Metrics]) => prepareStore(user, ...args),
    };
    const background = user === 'service' ? [BackgroundMove, PrimaryWatch] : [];
    return { module: MongoModule, imports: [connection], providers: [store, ...background] };
  }
}

async function connectionTo(uri: string): Promise<MongooseModuleFactoryOptions> {
  requireFullGuarantees(uri);
  try {
    await requireReplicaSet(uri);
  } catch (error) {
    throw toStartupError(error);
  }
  return { ...CONNECTION_OPTIONS, uri, connectionErrorFactory: toStartupError };
}

async function prepareStore(
  user: StoreUser,
  connection: Connection,
  deadline: Deadline,
  metrics: Metrics,
) {
  try {
    return await MongoStore.prepare(connection, deadline, user, metrics);
  } catch (error) {
    await connection.close();
    throw toStartupError(error);
  }
}
