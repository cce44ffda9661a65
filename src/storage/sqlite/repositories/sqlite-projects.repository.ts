import { Injectable } from '@nestjs/common';
import type { License } from '../../../licenses/license.js';
import type { Project } from '../../../projects/project.js';
import {
  type NewLicense,
  type ProjectChanges,
  type ProjectQuery,
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
import { SqliteDeletedProjects } from './sqlite-deleted-projects.js';
import { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';
import { SqliteLicenseTable } from './sqlite-license-table.js';
import { SqliteQuotas } from './sqlite-quotas.js';

/**
 * @param filter the columns that are compared with a parameter of their name. A plus sign excludes the owner's indexes
 *   from the query plan where the client's is the narrower one
 */
const selectPage = (filter: readonly string[]) =>
  `SELECT * FROM projects
   WHERE ${filter.includes('client') ? '+' : ''}owner = $owner
     ${filter.map((column) => `AND ${column} = $${column}`).join(' ')}
     AND (createdAt, _id) < ($time, $_id)
   ORDER BY createdAt DESC, _id DESC LIMIT $limit`;

@Injectable()
export class SqliteProjectsRepository extends ProjectsRepository {
  private readonly insertBelowClient;
  private readonly selectOwned;
  private readonly updateOwned;
  private readonly deleteProject;

  constructor(
    private readonly store: SqliteStore,
    private readonly records: SqliteIdempotencyRepository,
    private readonly quotas: SqliteQuotas,
    private readonly licenses: SqliteLicenseTable,
    private readonly deletedProjects: SqliteDeletedProjects,
  ) {
    super();
    this.insertBelowClient = store.prepare(
      `INSERT INTO projects (_id, name, client, product, owner, createdAt, updatedAt)
       SELECT $_id, $name, _id, $product, owner, $createdAt, $updatedAt FROM clients
       WHERE _id = $client AND owner = $owner`,
    );
    this.selectOwned = store.prepare('SELECT * FROM projects WHERE _id = ? AND owner = ?');
    this.updateOwned = store.prepare(
      `UPDATE projects SET name = ifnull($name, name), product = ifnull($product, product),
         updatedAt = $now
       WHERE _id = $_id AND owner = $owner
         AND ($product IS NULL OR product IS NULL OR product = $product) RETURNING *`,
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
      const row = this.selectOwned.get(license.project, license.user) as Row | undefined;
      if (!row) return 'project_not_found';
      const added = { ...license, product: toProject(row).product };
      if (this.licenses.insert(added, event) === 'key_collision') return 'key_collision';
      this.quotas.check(license.user, { licensesCount: 1 });
      return added;
    });
  }

  async findOwned(_id: string, account: AccountId): Promise<Project | null> {
    const row = this.selectOwned.get(_id, account) as Row | undefined;
    return row ? toProject(row) : null;
  }

  async listOwned(
    account: AccountId,
    { client, product }: ProjectQuery,
    { limit, after }: PageRequest,
  ): Promise<Page<Project>> {
    const filter = {
      ...(client !== undefined && { client }),
      ...(product !== undefined && { product }),
    };
    const page = { owner: account, limit: limit + 1, ...startOf(after, 'desc') };
    const statement = this.store.prepare(selectPage(Object.keys(filter)));
    const rows = statement.all({ ...page, ...filter }) as Row[];
    return pageOf(rows.map(toProject), limit, byCreation);
  }

  update(
    _id: string,
    account: AccountId,
    { name, product }: ProjectChanges,
    now: Date,
  ): Promise<Project | 'not_found' | 'has_product'> {
    return this.store.write(() => {
      const changes = { name: name ?? null, product: product ?? null, now: now.getTime() };
      const row = this.updateOwned.get({ _id, owner: account, ...changes }) as Row | undefined;
      if (!row) return this.selectOwned.get(_id, account) ? 'has_product' : 'not_found';
      if (product !== undefined) this.licenses.setProduct(_id, product);
      return toProject(row);
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
      this.deletedProjects.add(_id, now);
      return 'deleted';
    });
  }
}
