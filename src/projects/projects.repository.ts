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

/** The fields of a project to be changed. A product is set once: certificates name it. */
export interface ProjectChanges {
  readonly name?: string | undefined;
  readonly product?: string | undefined;
}

/** The filter of a list of projects. */
export interface ProjectQuery {
  readonly client: string | undefined;
  readonly product: string | undefined;
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
   * Stores one more license of a project, with the product that the project has when the transaction commits.
   * The project must exist then, and have the same owner.
   *
   * @throws IdempotencyKeyTaken; DomainError LICENSE_QUOTA_REACHED, IDEMPOTENCY_QUOTA_REACHED
   */
  abstract addLicense(
    added: NewLicense,
    idempotency?: IdempotencyRecord,
  ): Promise<License | 'project_not_found' | 'key_collision'>;

  abstract findOwned(_id: string, accountId: AccountId): Promise<Project | null>;

  /** A page of the account's projects, newest first. */
  abstract listOwned(
    accountId: AccountId,
    query: ProjectQuery,
    page: PageRequest,
  ): Promise<Page<Project>>;

  /** Changes a project, and with its product all its licenses, unless it has another product. */
  abstract update(
    _id: string,
    accountId: AccountId,
    changes: ProjectChanges,
    now: Date,
  ): Promise<Project | 'not_found' | 'has_product'>;

  /**
   * Deletes a project with its licenses and their events, unless a license of it is ACTIVE and not expired. From then
   * on no port reads them and they count towards nothing; they are removed by {@link DeletedLicensesRepository}.
   */
  abstract deleteWithLicenses(
    _id: string,
    accountId: AccountId,
    now: Date,
  ): Promise<'deleted' | 'not_found' | 'has_active_licenses'>;
}
