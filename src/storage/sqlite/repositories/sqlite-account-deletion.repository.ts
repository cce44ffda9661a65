import { Injectable } from '@nestjs/common';
import {
  AccountDeletionRepository,
  CLIENTS_AT_ONCE,
} from '../../../auth/accounts/account-deletion.repository.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import type { Row } from './rows.js';
import { IS_NOT_DELETED, SqliteDeletedProjects } from './sqlite-deleted-projects.js';
import { SqliteLicenseTable } from './sqlite-license-table.js';

@Injectable()
export class SqliteAccountDeletionRepository extends AccountDeletionRepository {
  private readonly selectActive;
  private readonly selectProject;
  private readonly deleteSomeClients;
  private readonly selectClient;
  private readonly insertDeleted;
  private readonly deleteAccount;

  constructor(
    private readonly store: SqliteStore,
    private readonly licenses: SqliteLicenseTable,
    private readonly deletedProjects: SqliteDeletedProjects,
  ) {
    super();
    this.selectActive = store.prepare(
      `SELECT 1 FROM licenses WHERE user = ? AND status = 'ACTIVE' AND expiresAt > ?
         AND ${IS_NOT_DELETED} LIMIT 1`,
    );
    this.selectProject = store.prepare('SELECT _id FROM projects WHERE owner = ? LIMIT 1');
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
      'DELETE FROM idempotency_records WHERE owner = ?',
      'DELETE FROM totals WHERE owner = ?',
      'DELETE FROM signing_keys WHERE _id = ?',
      'DELETE FROM users WHERE _id = ?',
    ].map((sql) => store.prepare(sql));
  }

  async hasActiveLicenses(account: AccountId, now: Date): Promise<boolean> {
    return this.selectActive.get(account, now.getTime()) !== undefined;
  }

  deleteProject(
    account: AccountId,
    keepsActive: boolean,
    now: Date,
  ): Promise<'deleted' | 'has_active_licenses' | 'no_projects'> {
    return this.store.write(() => {
      const row = this.selectProject.get(account) as Row | undefined;
      if (!row) return 'no_projects';
      const project = String(row._id);
      if (keepsActive && this.licenses.hasActive(project, now)) return 'has_active_licenses';
      this.deletedProjects.add(project, now);
      return 'deleted';
    });
  }

  deleteClients(account: AccountId): Promise<'deleted' | 'no_clients'> {
    return this.store.write(() =>
      this.deleteSomeClients.run(account).changes > 0 ? 'deleted' : 'no_clients',
    );
  }

  deleteEmpty(account: AccountId, now: Date): Promise<'deleted' | 'has_clients'> {
    return this.store.write(() => {
      if (this.selectClient.get(account)) return 'has_clients';
      this.insertDeleted.run(account, now.getTime());
      this.deleteAccount.forEach((statement) => statement.run(account));
      return 'deleted';
    });
  }
}
