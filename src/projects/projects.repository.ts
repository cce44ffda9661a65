import type { License } from '../licenses/license.js';
import type { LicenseEvent } from '../licenses/license-event.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Project } from './project.js';

/** A license to be stored with the event of its creation. */
export interface NewLicense {
  readonly license: License;
  readonly event: LicenseEvent;
}

export interface ProjectWithLicense {
  readonly project: Project;
  readonly license: License;
}

/** The port to the stored projects. */
export abstract class ProjectsRepository {
  /**
   * Stores a project and its first license in one transaction: both or neither. The client must exist and
   * have the same owner when the transaction commits.
   *
   * @throws IdempotencyKeyTaken; DomainError PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED, IDEMPOTENCY_QUOTA_REACHED
   */
  abstract createWithFirstLicense(
    project: Project,
    first: NewLicense,
    idempotency?: IdempotencyRecord,
  ): Promise<ProjectWithLicense | 'client_not_found' | 'key_collision'>;

  /**
   * Stores one more license of a project. The project must exist and have the same owner when the
   * transaction commits.
   *
   * @throws IdempotencyKeyTaken; DomainError LICENSE_QUOTA_REACHED, IDEMPOTENCY_QUOTA_REACHED
   */
  abstract addLicense(
    added: NewLicense,
    idempotency?: IdempotencyRecord,
  ): Promise<License | 'project_not_found' | 'key_collision'>;

  abstract findOwned(_id: string, accountId: AccountId): Promise<Project | null>;

  /** A page of the account's projects, of all clients or of one, newest first. */
  abstract listOwned(
    accountId: AccountId,
    client: string | undefined,
    page: PageRequest,
  ): Promise<Page<Project>>;

  abstract rename(
    _id: string,
    accountId: AccountId,
    name: string,
    now: Date,
  ): Promise<Project | null>;

  /**
   * Deletes a project with its licenses and their events in one transaction, unless a license of it is
   * ACTIVE and not expired.
   */
  abstract deleteWithLicenses(
    _id: string,
    accountId: AccountId,
    now: Date,
  ): Promise<'deleted' | 'not_found' | 'has_active_licenses'>;
}
