import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
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
import { DeploymentRepository } from '../../shared/sealing/deployment.repository.js';
import { Metrics } from '../../shared/metrics/metrics.js';
import { MemoryRateLimitWindows } from '../../shared/rate-limit/memory-rate-limit-windows.js';
import { RateLimitWindows } from '../../shared/rate-limit/rate-limit-windows.js';
import { IdempotencyRepository } from '../../shared/idempotency/idempotency.repository.js';
import { DeletedLicensesRepository } from '../../shared/deletion/deleted-licenses.repository.js';
import { PORTS } from '../ports.js';
import type { StoreUser } from '../store-user.js';
import { SqliteAccountDeletionRepository } from './repositories/sqlite-account-deletion.repository.js';
import { SqliteClientsRepository } from './repositories/sqlite-clients.repository.js';
import { SqliteDashboardRepository } from './repositories/sqlite-dashboard.repository.js';
import { SqliteDeletedLicensesRepository } from './repositories/sqlite-deleted-licenses.repository.js';
import { SqliteDeletedProjects } from './repositories/sqlite-deleted-projects.js';
import { SqliteDeploymentRepository } from './repositories/sqlite-deployment.repository.js';
import { SqliteIdempotencyRepository } from './repositories/sqlite-idempotency.repository.js';
import { SqliteLicenseEventsRepository } from './repositories/sqlite-license-events.repository.js';
import { SqliteLicenseTable } from './repositories/sqlite-license-table.js';
import { SqliteLicensesRepository } from './repositories/sqlite-licenses.repository.js';
import { SqliteProjectsRepository } from './repositories/sqlite-projects.repository.js';
import { SqliteQuotas } from './repositories/sqlite-quotas.js';
import { SqliteSessionsRepository } from './repositories/sqlite-sessions.repository.js';
import { SqliteSigningKeysRepository } from './repositories/sqlite-signing-keys.repository.js';
import { SqliteStore } from './connection/sqlite-store.js';
import { SqliteUsersRepository } from './repositories/sqlite-users.repository.js';

/** The ports on SQLite: one file of the data folder. */
@Global()
@Module({
  providers: [
    // Parts of the writes of several repositories.
    SqliteDeletedProjects,
    SqliteIdempotencyRepository,
    SqliteLicenseEventsRepository,
    SqliteLicenseTable,
    SqliteQuotas,
    { provide: DeploymentRepository, useClass: SqliteDeploymentRepository },
    { provide: UsersRepository, useClass: SqliteUsersRepository },
    { provide: SessionsRepository, useClass: SqliteSessionsRepository },
    { provide: AccountDeletionRepository, useClass: SqliteAccountDeletionRepository },
    { provide: ClientsRepository, useClass: SqliteClientsRepository },
    { provide: ProjectsRepository, useClass: SqliteProjectsRepository },
    { provide: LicensesRepository, useClass: SqliteLicensesRepository },
    { provide: DeletedLicensesRepository, useClass: SqliteDeletedLicensesRepository },
    { provide: LicenseEventsRepository, useExisting: SqliteLicenseEventsRepository },
    { provide: IdempotencyRepository, useExisting: SqliteIdempotencyRepository },
    { provide: SigningKeysRepository, useClass: SqliteSigningKeysRepository },
    { provide: DashboardRepository, useClass: SqliteDashboardRepository },
    // One process opens the file, so it counts for itself.
    { provide: RateLimitWindows, useClass: MemoryRateLimitWindows },
    { provide: StoreHealth, useExisting: SqliteStore },
  ],
  exports: PORTS,
})
export class SqliteModule implements OnApplicationShutdown {
  constructor(@Inject(SqliteStore) private readonly store: SqliteStore) {}

  static forRoot(dataDir: string, user: StoreUser): DynamicModule {
    const store = {
      provide: SqliteStore,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => SqliteStore.open(dataDir, user, metrics),
    };
    return { module: SqliteModule, providers: [store] };
  }

  /** Runs after the server's last response. */
  onApplicationShutdown(): void {
    this.store.close();
  }
}
