import { Injectable } from '@nestjs/common';
import {
  AccountDeletionRepository,
  CLIENTS_AT_ONCE,
  LICENSES_AT_ONCE,
} from '../../auth/accounts/account-deletion.repository.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { LicenseCache } from './license-cache.js';
import type { Row } from './rows.js';
import { SqliteStore } from './sqlite-store.js';

@Injectable()
export class SqliteAccountDeletionRepository extends AccountDeletionRepository {
  private readonly selectActive;
  private readonly selectProject;
  private readonly selectActiveOfProject;
  private readonly deleteLicenses;
  private readonly deleteEmptyProject;
  private readonly deleteSomeClients;
  private readonly selectClient;
  private readonly insertDeleted;
  private readonly deleteAccount;

  constructor(
    private readonly store: SqliteStore,
    private readonly cache: LicenseCache,
  ) {
    super();
    const isActive = "status = 'ACTIVE' AND expiresAt > ? LIMIT 1";
    this.selectActive = store.prepare(`SELECT 1 FROM licenses WHERE user = ? AND ${isActive}`);
    this.selectProject = store.prepare('SELECT _id FROM projects WHERE owner = ? LIMIT 1');
    this.selectActiveOfProject = store.prepare(
      `SELECT 1 FROM licenses WHERE project = ? AND ${isActive}`,
    );
    this.deleteLicenses = store.prepare(
      `DELETE FROM licenses WHERE _id IN
         (SELECT _id FROM licenses WHERE project = ? LIMIT ${LICENSES_AT_ONCE}) RETURNING keyHash`,
    );
    this.deleteEmptyProject = store.prepare(
      'DELETE FROM projects WHERE _id = ? AND licensesCount = 0',
    );
    this.deleteSomeClients = store.prepare(
      `DELETE FROM clients WHERE _id IN
         (SELECT _id FROM clients WHERE owner = ? AND projectsCount = 0 LIMIT ${CLIENTS_AT_ONCE})`,
    );
    this.selectClient = store.prepare('SELECT 1 FROM clients WHERE owner = ? LIMIT 1');
    this.insertDeleted = store.prepare(
      'INSERT INTO deleted_accounts (_id, deletedAt) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.deleteAccount = [
      'DELETE FROM sessions WHERE user = ?',
      'DELETE FROM login_addresses WHERE user = ?',
      'DELETE FROM idempotency_claims WHERE owner = ?',
      'DELETE FROM totals WHERE owner = ?',
      'DELETE FROM users WHERE _id = ?',
    ].map((sql) => store.prepare(sql));
  }

  async hasActiveLicenses(user: AccountId, now: Date): Promise<boolean> {
    return this.selectActive.get(user, now.getTime()) !== undefined;
  }

  deleteFromProject(
    user: AccountId,
    keepActiveAt: Date | null,
  ): Promise<'deleted' | 'has_active_licenses' | 'no_projects'> {
    return this.store.write(() => {
      const row = this.selectProject.get(user) as Row | undefined;
      if (!row) return 'no_projects';
      const project = String(row._id);
      if (keepActiveAt && this.selectActiveOfProject.get(project, keepActiveAt.getTime())) {
        return 'has_active_licenses';
      }
      const deleted = this.deleteLicenses.all(project) as { keyHash: string }[];
      deleted.forEach(({ keyHash }) => this.cache.delete(keyHash));
      this.deleteEmptyProject.run(project);
      return 'deleted';
    });
  }

  deleteClients(user: AccountId): Promise<'deleted' | 'no_clients'> {
    return this.store.write(() =>
      this.deleteSomeClients.run(user).changes > 0 ? 'deleted' : 'no_clients',
    );
  }

  deleteEmpty(user: AccountId, now: Date): Promise<'deleted' | 'has_clients'> {
    return this.store.write(() => {
      if (this.selectClient.get(user)) return 'has_clients';
      this.insertDeleted.run(user, now.getTime());
      this.deleteAccount.forEach((statement) => statement.run(user));
      return 'deleted';
    });
  }
}
