import type { TestingModule } from '@nestjs/testing';
import { AccountDeletionRepository } from '../../src/auth/accounts/account-deletion.repository.js';
import { SessionsRepository } from '../../src/auth/sessions/sessions.repository.js';
import { UsersRepository } from '../../src/auth/accounts/users.repository.js';
import { SigningKeysRepository } from '../../src/certificates/signing-keys/signing-keys.repository.js';
import { ClientsRepository } from '../../src/clients/clients.repository.js';
import { DashboardRepository } from '../../src/dashboard/dashboard.repository.js';
import { StoreHealth } from '../../src/health/store-health.js';
import { LicenseEventsRepository } from '../../src/licenses/license-events.repository.js';
import { LicensesRepository } from '../../src/licenses/licenses.repository.js';
import { ProjectsRepository } from '../../src/projects/projects.repository.js';
import { Config, type Quotas } from '../../src/shared/config/config.js';
import { DeletedLicensesRepository } from '../../src/shared/deletion/deleted-licenses.repository.js';
import { RateLimitWindows } from '../../src/shared/rate-limit/rate-limit-windows.js';
import { DeploymentRepository } from '../../src/shared/sealing/deployment.repository.js';
import { IdempotencyRepository } from '../../src/shared/idempotency/idempotency.repository.js';

/** The tables of SQLite, and collections of MongoDB with the same names, whose records are counted. */
export const TABLES = [
  'users',
  'sessions',
  'login_addresses',
  'clients',
  'projects',
  'licenses',
  'license_events',
  'signing_keys',
  'totals',
  'idempotency_records',
] as const;

export type Table = (typeof TABLES)[number];

/** The statements of `createWithFirstLicense` with an idempotency key. Most other transactions have some of them. */
export const STEPS = [
  'client',
  'project',
  'license',
  'event',
  'idempotency',
  'totals',
  'commit',
] as const;

export type Step = (typeof STEPS)[number] | 'signing keys';

/** The ports of a store that was opened empty, and what only a test may do with that store. */
export abstract class StoreUnderTest {
  readonly deployment: DeploymentRepository;
  readonly users: UsersRepository;
  readonly sessions: SessionsRepository;
  readonly accountDeletion: AccountDeletionRepository;
  readonly clients: ClientsRepository;
  readonly projects: ProjectsRepository;
  readonly licenses: LicensesRepository;
  readonly deletedLicenses: DeletedLicensesRepository;
  readonly events: LicenseEventsRepository;
  readonly signingKeys: SigningKeysRepository;
  readonly dashboard: DashboardRepository;
  readonly idempotency: IdempotencyRepository;
  readonly rateLimits: RateLimitWindows;
  readonly health: StoreHealth;
  /** The quotas of each account; a test may change them. */
  readonly quotas: { -readonly [Quota in keyof Quotas]: number };

  protected constructor(protected readonly module: TestingModule) {
    this.deployment = module.get(DeploymentRepository);
    this.users = module.get(UsersRepository);
    this.sessions = module.get(SessionsRepository);
    this.accountDeletion = module.get(AccountDeletionRepository);
    this.clients = module.get(ClientsRepository);
    this.projects = module.get(ProjectsRepository);
    this.licenses = module.get(LicensesRepository);
    this.deletedLicenses = module.get(DeletedLicensesRepository);
    this.events = module.get(LicenseEventsRepository);
    this.signingKeys = module.get(SigningKeysRepository);
    this.dashboard = module.get(DashboardRepository);
    this.idempotency = module.get(IdempotencyRepository);
    this.rateLimits = module.get(RateLimitWindows);
    this.health = module.get(StoreHealth);
    this.quotas = module.get(Config).quotas;
  }

  /**
   * Removes the licenses of deleted projects, as the service does in the background.
   *
   * @returns whether there were any
   */
  async removeDeleted(): Promise<boolean> {
    let steps = 0;
    while ((await this.deletedLicenses.removeSome()) === 'removed') steps += 1;
    return steps > 0;
  }

  abstract count(table: Table): Promise<number>;

  /** The inconsistencies of the store: records without their parent, wrong counters and totals. */
  abstract contradictions(): Promise<string[]>;

  /** Does the work while every statement of this step fails, also when it is retried. */
  abstract whileFailing<T>(step: Step, work: () => Promise<T>): Promise<T>;

  /** Closes the store as the application does, and removes it. */
  abstract close(): Promise<void>;
}

/** A storage engine that the contract tests run on. */
export interface Engine {
  readonly name: string;
  readonly open: () => Promise<StoreUnderTest>;
}
