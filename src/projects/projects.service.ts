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
import type { Project } from './project.js';
import { ProjectsRepository, type ProjectWithLicense } from './projects.repository.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly issuer: LicenseIssuer,
    private readonly idempotent: IdempotentWrites,
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
    { client, name, ...terms }: LicenseTerms & { client: string; name: string },
    idempotency?: IdempotencyRecord,
  ): Promise<ProjectWithLicense> {
    const now = this.clock.now();
    const _id = newObjectId();
    const project: Project = {
      _id,
      name,
      client,
      owner: accountId,
      createdAt: now,
      updatedAt: now,
    };
    const issue = { ...terms, user: accountId, client, project: _id, replaces: null };
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
      const { client } = await this.get(_id, accountId);
      const issue = { ...terms, user: accountId, client, project: _id, replaces: null };
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

  /** @param client lists the projects of this client alone; undefined lists those of all clients */
  list(
    accountId: AccountId,
    client: string | undefined,
    page: PageRequest,
  ): Promise<Page<Project>> {
    return this.projects.listOwned(accountId, client, page);
  }

  /**
   * @param name undefined leaves the project unchanged
   * @throws DomainError PROJECT_NOT_FOUND
   */
  async rename(_id: string, accountId: AccountId, name: string | undefined): Promise<Project> {
    if (name === undefined) return this.get(_id, accountId);
    const renamed = await this.projects.rename(_id, accountId, name, this.clock.now());
    if (!renamed) throw notFound();
    return renamed;
  }

  /** @throws DomainError PROJECT_NOT_FOUND, PROJECT_HAS_ACTIVE_LICENSES */
  async delete(_id: string, accountId: AccountId): Promise<void> {
    const outcome = await this.projects.deleteWithLicenses(_id, accountId, this.clock.now());
    if (outcome === 'not_found') throw notFound();
    if (outcome === 'has_active_licenses') throw new DomainError('PROJECT_HAS_ACTIVE_LICENSES');
  }
}

const notFound = () => new DomainError('PROJECT_NOT_FOUND');
