import { Injectable } from '@nestjs/common';
import type { License, LicenseTerms } from '../licenses/license.js';
import { createdEvent } from '../licenses/license-event.js';
import { LicenseIssuer } from '../licenses/license-issuer.service.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { IdempotentWrites } from '../shared/idempotency/idempotent-writes.service.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { Clock } from '../shared/time/clock.js';
import { DeletedLicensesWorker } from './deleted-licenses.worker.js';
import type { Project } from './project.js';
import {
  type ProjectChanges,
  type ProjectQuery,
  ProjectsRepository,
  type ProjectWithLicense,
} from './projects.repository.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly issuer: LicenseIssuer,
    private readonly idempotent: IdempotentWrites,
    private readonly deletedLicenses: DeletedLicensesWorker,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a project and its first license, both or neither (specification, section 4.2).
   *
   * @throws DomainError CLIENT_NOT_FOUND, PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED,
   *   IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  createWithFirstLicense(
    accountId: AccountId,
    {
      client,
      name,
      product,
      ...terms
    }: LicenseTerms & Pick<Project, 'client' | 'name' | 'product'>,
    idempotency?: IdempotencyRecord,
  ): Promise<ProjectWithLicense> {
    const now = this.clock.now();
    const _id = newObjectId();
    const project: Project = {
      _id,
      name,
      client,
      product,
      owner: accountId,
      createdAt: now,
      updatedAt: now,
    };
    const issue = { ...terms, user: accountId, client, project: _id, product, replaces: null };
    return this.idempotent.once(idempotency, async () => {
      const created = await this.issuer.issue(issue, now, (license) =>
        this.projects.createWithFirstLicense(
          project,
          { license, event: createdEvent(license) },
          idempotency,
        ),
      );
      if (created === 'client_not_found') throw new DomainError('CLIENT_NOT_FOUND');
      return created;
    });
  }

  /**
   * Issues one more license for a project.
   *
   * @throws DomainError PROJECT_NOT_FOUND, LICENSE_QUOTA_REACHED, IDEMPOTENCY_KEY_REUSED,
   *   IDEMPOTENCY_QUOTA_REACHED
   */
  addLicense(
    _id: string,
    accountId: AccountId,
    terms: LicenseTerms,
    idempotency?: IdempotencyRecord,
  ): Promise<License> {
    return this.idempotent.once(idempotency, async () => {
      const { client, product } = await this.get(_id, accountId);
      const issue = { ...terms, user: accountId, client, project: _id, product, replaces: null };
      const added = await this.issuer.issue(issue, this.clock.now(), (license) =>
        this.projects.addLicense({ license, event: createdEvent(license) }, idempotency),
      );
      if (added === 'project_not_found') throw notFound();
      return added;
    });
  }

  /** @throws DomainError PROJECT_NOT_FOUND */
  async get(_id: string, accountId: AccountId): Promise<Project> {
    const project = await this.projects.findOwned(_id, accountId);
    if (!project) throw notFound();
    return project;
  }

  list(accountId: AccountId, query: ProjectQuery, page: PageRequest): Promise<Page<Project>> {
    return this.projects.listOwned(accountId, query, page);
  }

  /**
   * Renames a project, or gives it a product.
   *
   * @throws DomainError PROJECT_NOT_FOUND, PROJECT_HAS_PRODUCT
   */
  async update(_id: string, accountId: AccountId, changes: ProjectChanges): Promise<Project> {
    if (changes.name === undefined && changes.product === undefined) {
      return this.get(_id, accountId);
    }
    const updated = await this.projects.update(_id, accountId, changes, this.clock.now());
    if (updated === 'not_found') throw notFound();
    if (updated === 'has_product') throw new DomainError('PROJECT_HAS_PRODUCT');
    return updated;
  }

  /** @throws DomainError PROJECT_NOT_FOUND, PROJECT_HAS_ACTIVE_LICENSES */
  async delete(_id: string, accountId: AccountId): Promise<void> {
    const outcome = await this.projects.deleteWithLicenses(_id, accountId, this.clock.now());
    if (outcome === 'not_found') throw notFound();
    if (outcome === 'has_active_licenses') throw new DomainError('PROJECT_HAS_ACTIVE_LICENSES');
    this.deletedLicenses.wake();
  }
}

const notFound = () => new DomainError('PROJECT_NOT_FOUND');
