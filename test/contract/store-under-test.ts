import type { TestingModule } from '@nestjs/testing';
import { AccountDeletionRepository } from '../../src/auth/accounts/account-deletion.repository.js';
import { SessionsRepository } from '../../src/auth/sessions/sessions.repository.js';
import { UsersRepository } from '../../src/auth/accounts/users.repository.js';
import { ClientsRepository } from '../../src/clients/clients.repository.js';
import { DashboardRepository } from '../../src/dashboard/dashboard.repository.js';
import { StoreHealth } from '../../src/health/store-health.js';
import { LicenseEventsRepository } from '../../src/licenses/license-events.repository.js';
import { LicensesRepository } from '../../src/licenses/licenses.repository.js';
import { ProjectsRepository } from '../../src/projects/projects.repository.js';
import { Config, type Quotas } from '../../src/shared/config/config.js';
import { DeploymentRepository } from '../../src/shared/sealing/deployment.repository.js';
import { IdempotencyRepository } from '../../src/shared/idempotency/idempotency.repository.js';

/** A collection or table, by the name that it has on both engines. */
export type Kept =
  | 'sessions'
  | 'login_addresses'
  | 'users'
  | 'totals'
  | 'clients'
  | 'projects'
  | 'licenses'
  | 'license_events'
  | 'idempotency_records';

/**
 * The steps of `createWithFirstLicense` with an idempotency key, each a statement of its own; an engine may have
 * fewer. Every other transaction has some of them.
 */
export type CreationStep =
  'client' | 'project' | 'license' | 'event' | 'idempotency' | 'totals' | 'commit';

/** The ports of an empty store of its own, and what only a test may do with that store. */
export abstract class StoreUnderTest {
  readonly deployment: DeploymentRepository;
  readonly users: UsersRepository;
  readonly sessions: SessionsRepository;
  readonly accountDeletion: AccountDeletionRepository;
  readonly clients: ClientsRepository;
  readonly projects: ProjectsRepository;
  readonly licenses: LicensesRepository;
  readonly events: LicenseEventsRepository;
  readonly dashboard: DashboardRepository;
  readonly idempotency: IdempotencyRepository;
  readonly health: StoreHealth;
  /** Those of each account; a test may change them. */
  readonly quotas: { -readonly [Quota in keyof Quotas]: number };

  protected constructor(protected readonly module: TestingModule) {
    this.deployment = module.get(DeploymentRepository);
    this.users = module.get(UsersRepository);
    this.sessions = module.get(SessionsRepository);
    this.accountDeletion = module.get(AccountDeletionRepository);
    this.clients = module.get(ClientsRepository);
    this.projects = module.get(ProjectsRepository);
    this.licenses = module.get(LicensesRepository);
    this.events = module.get(LicenseEventsRepository);
    this.dashboard = module.get(DashboardRepository);
    this.idempotency = module.get(IdempotencyRepository);
    this.health = module.get(StoreHealth);
    this.quotas = module.get(Config).quotas;
  }

  abstract count(kept: Kept): Promise<number>;

  /** What contradicts itself in the store: records without their parent, counters and totals that are wrong. */
  abstract contradictions(): Promise<string[]>;

  /** Makes every write to what this step names fail for good, until the returned function is called. */
  abstract failAt(step: CreationStep): Promise<() => Promise<void>>;

  /** Closes the store as the application does, and removes it. */
  abstract close(): Promise<void>;
}

/** A storage engine: what a suite runs against. */
export interface Engine {
  readonly name: string;
  readonly creationSteps: readonly CreationStep[];
  readonly open: () => Promise<StoreUnderTest>;
}
