import { AccountDeletionRepository } from '../auth/accounts/account-deletion.repository.js';
import { SessionsRepository } from '../auth/sessions/sessions.repository.js';
import { UsersRepository } from '../auth/accounts/users.repository.js';
import { SigningKeysRepository } from '../certificates/signing-keys/signing-keys.repository.js';
import { ClientsRepository } from '../clients/clients.repository.js';
import { DashboardRepository } from '../dashboard/dashboard.repository.js';
import { StoreHealth } from '../health/store-health.js';
import { LicenseEventsRepository } from '../licenses/license-events.repository.js';
import { LicensesRepository } from '../licenses/licenses.repository.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { DeletedLicensesRepository } from '../shared/deletion/deleted-licenses.repository.js';
import { DeploymentRepository } from '../shared/sealing/deployment.repository.js';
import { RateLimitWindows } from '../shared/rate-limit/rate-limit-windows.js';
import { IdempotencyRepository } from '../shared/idempotency/idempotency.repository.js';

/** Every port that an engine implements. */
export const PORTS = [
  DeploymentRepository,
  UsersRepository,
  SessionsRepository,
  AccountDeletionRepository,
  ClientsRepository,
  ProjectsRepository,
  LicensesRepository,
  DeletedLicensesRepository,
  LicenseEventsRepository,
  SigningKeysRepository,
  DashboardRepository,
  IdempotencyRepository,
  RateLimitWindows,
  StoreHealth,
];
