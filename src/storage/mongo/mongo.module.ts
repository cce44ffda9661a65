import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  getConnectionToken,
  getModelToken,
  MongooseModule,
  type MongooseModuleFactoryOptions,
} from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { AccountDeletionRepository } from '../../auth/accounts/account-deletion.repository.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { UsersRepository } from '../../auth/accounts/users.repository.js';
import { ClientsRepository } from '../../clients/clients.repository.js';
import { DashboardRepository } from '../../dashboard/dashboard.repository.js';
import { StoreHealth } from '../../health/store-health.js';
import { LicenseEventsRepository } from '../../licenses/license-events.repository.js';
import { LicensesRepository } from '../../licenses/licenses.repository.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { DeploymentRepository } from '../../shared/sealing/deployment.repository.js';
import { IdempotencyRepository } from '../../shared/idempotency/idempotency.repository.js';
import { Deadline } from '../../shared/time/deadline.js';
import { PORTS } from '../ports.js';
import { CONNECTION_OPTIONS } from './connection-options.js';
import { MongoAccountDeletionRepository } from './mongo-account-deletion.repository.js';
import { MongoIdempotentWrites } from './mongo-idempotent-writes.js';
import { MongoClientsRepository } from './mongo-clients.repository.js';
import { MongoDashboardRepository } from './mongo-dashboard.repository.js';
import { MongoDeploymentRepository } from './mongo-deployment.repository.js';
import { MongoIdempotencyRepository } from './mongo-idempotency.repository.js';
import { MongoLicenseCounts } from './mongo-license-counts.js';
import { MongoLicenseEventsRepository } from './mongo-license-events.repository.js';
import { MongoLicenseTransitions } from './mongo-license-transitions.js';
import { MongoLicensesRepository } from './mongo-licenses.repository.js';
import { MongoLoginAddresses } from './mongo-login-addresses.js';
import { MongoNewLicenses } from './mongo-new-licenses.js';
import { MongoProjectDeletion } from './mongo-project-deletion.js';
import { MongoProjectsRepository } from './mongo-projects.repository.js';
import { MongoSessionsRepository } from './mongo-sessions.repository.js';
import { MongoStore } from './mongo-store.js';
import { MongoStoreHealth } from './mongo-store-health.js';
import { MongoTotals } from './mongo-totals.js';
import { requireFullGuarantees } from './mongo-uri.js';
import { MongoUsersRepository } from './mongo-users.repository.js';
import { requireReplicaSet } from './replica-set.js';
import { MODELS } from './schemas/models.js';
import { toStartupError } from './startup-failure.js';

/** The ports on MongoDB: a replica set or a sharded cluster. */
@Global()
@Module({
  imports: [MongooseModule.forFeature(MODELS)],
  providers: [
    Deadline,
    {
      provide: MongoStore,
      inject: [Deadline, getConnectionToken(), ...MODELS.map(({ name }) => getModelToken(name))],
      useFactory: prepareStore,
    },
    // What several repositories have in common.
    MongoIdempotentWrites,
    MongoLicenseCounts,
    MongoLicenseEventsRepository,
    MongoLicenseTransitions,
    MongoLoginAddresses,
    MongoNewLicenses,
    MongoProjectDeletion,
    MongoTotals,
    { provide: DeploymentRepository, useClass: MongoDeploymentRepository },
    { provide: UsersRepository, useClass: MongoUsersRepository },
    { provide: SessionsRepository, useClass: MongoSessionsRepository },
    { provide: AccountDeletionRepository, useClass: MongoAccountDeletionRepository },
    { provide: ClientsRepository, useClass: MongoClientsRepository },
    { provide: ProjectsRepository, useClass: MongoProjectsRepository },
    { provide: LicensesRepository, useClass: MongoLicensesRepository },
    { provide: LicenseEventsRepository, useExisting: MongoLicenseEventsRepository },
    { provide: DashboardRepository, useClass: MongoDashboardRepository },
    { provide: IdempotencyRepository, useClass: MongoIdempotencyRepository },
    { provide: StoreHealth, useClass: MongoStoreHealth },
  ],
  exports: PORTS,
})
export class MongoModule {
  /**
   * The connection closes when the application has, after the server's last response.
   *
   * @throws StartupError when the application starts, where the service's promises cannot be kept
   */
  static forRoot(uri: string): DynamicModule {
    const connection = MongooseModule.forRootAsync({ useFactory: () => connectionTo(uri) });
    return { module: MongoModule, imports: [connection] };
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
  deadline: Deadline,
  connection: Connection,
  ...models: Model<unknown>[]
) {
  try {
    return await MongoStore.prepare(connection, models, deadline);
  } catch (error) {
    await connection.close();
    throw toStartupError(error);
  }
}
