import { Injectable } from '@nestjs/common';
import type { License } from '../../../licenses/license.js';
import type { Project } from '../../../projects/project.js';
import {
  type NewLicense,
  ProjectsRepository,
  type ProjectWithLicense,
} from '../../../projects/projects.repository.js';
import {
  byCreation,
  type Page,
  type PageRequest,
  pageOf,
} from '../../../shared/pagination/page.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { type Row, startOf, toProject, toRow } from './rows.js';
import { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';
import { SqliteLicenseTable } from './sqlite-license-table.js';
import { SqliteQuotas } from './sqlite-quotas.js';

const selectPage = (condition: string) =>
  `SELECT * FROM projects WHERE owner = $owner AND ${condition} AND (createdAt, _id) < ($time, $_id)
   ORDER BY createdAt DESC, _id DESC LIMIT $limit`;

@Injectable()
export class SqliteProjectsRepository extends ProjectsRepository {
  private readonly insertBelowClient;
  private readonly selectOwned;
  private readonly selectPage;
  private readonly selectClientsPage;
  private readonly updateName;
  private readonly deleteProject;

  constructor(
    private readonly store: SqliteStore,
    private readonly records: SqliteIdempotencyRepository,
    private readonly quotas: SqliteQuotas,
    private readonly licenses: SqliteLicenseTable,
  ) {
    super();
    this.insertBelowClient = store.prepare(
      `INSERT INTO projects (_id, name, client, owner, createdAt, updatedAt)
       SELECT $_id, $name, _id, owner, $createdAt, $updatedAt FROM clients
       WHERE _id = $client AND owner = $owner`,
    );
    this.selectOwned = store.prepare('SELECT * FROM projects WHERE _id = ? AND owner = ?');
    this.selectPage = store.prepare(selectPage('true'));
    this.selectClientsPage = store.prepare(selectPage('client = $client'));
    this.updateName = store.prepare(
      'UPDATE projects SET name = ?, updatedAt = ? WHERE _id = ? AND owner = ? RETURNING *',
    );
    this.deleteProject = store.prepare('DELETE FROM projects WHERE _id = ?');
  }

  createWithFirstLicense(
    project: Project,
    { license, event }: NewLicense,
    idempotency?: IdempotencyRecord,
  ): Promise<ProjectWithLicense | 'client_not_found' | 'key_collision'> {
    return this.records.runOnce(idempotency, () => {
      if (this.insertBelowClient.run(toRow(project)).changes === 0) return 'client_not_found';
      if (this.licenses.insert(license, event) === 'key_collision') {
        this.deleteProject.run(project._id);
        return 'key_collision';
      }
      this.quotas.check(project.owner, { projectsCount: 1, licensesCount: 1 });
      return { project, license };
    });
  }

  addLicense(
    { license, event }: NewLicense,
    idempotency?: IdempotencyRecord,
  ): Promise<License | 'project_not_found' | 'key_collision'> {
    return this.records.runOnce(idempotency, () => {
      if (!this.selectOwned.get(license.project, license.user)) return 'project_not_found';
      if (this.licenses.insert(license, event) === 'key_collision') return 'key_collision';
      this.quotas.check(license.user, { licensesCount: 1 });
      return license;
    });
  }

  async findOwned(_id: string, account: AccountId): Promise<Project | null> {
    const row = this.selectOwned.get(_id, account) as Row | undefined;
    return row ? toProject(row) : null;
  }

  async listOwned(
    account: AccountId,
    client: string | undefined,
    { limit, after }: PageRequest,
  ): Promise<Page<Project>> {
    const statement = client === undefined ? this.selectPage : this.selectClientsPage;
    const rows = statement.all({
      owner: account,
      limit: limit + 1,
      ...startOf(after, 'desc'),
      ...(client !== undefined && { client }),
    }) as Row[];
    return pageOf(rows.map(toProject), limit, byCreation);
  }

  rename(_id: string, account: AccountId, name: string, now: Date): Promise<Project | null> {
    return this.store.write(() => {
      const row = this.updateName.get(name, now.getTime(), _id, account) as Row | undefined;
      return row ? toProject(row) : null;
    });
  }

  deleteWithLicenses(
    _id: string,
    account: AccountId,
    now: Date,
  ): Promise<'deleted' | 'not_found' | 'has_active_licenses'> {
    return this.store.write(() => {
      if (!this.selectOwned.get(_id, account)) return 'not_found';
      if (this.licenses.hasActive(_id, now)) return 'has_active_licenses';
      this.licenses.deleteOf(_id);
      this.deleteProject.run(_id);
      return 'deleted';
    });
  }
}
