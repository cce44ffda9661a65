import { Injectable } from '@nestjs/common';
import { CLIENTS } from '../clients/client.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import {
  type Page,
  type PageRequest,
  pageOf,
  readPage,
  withTotal,
} from '../shared/pagination/page.js';
import type { Filter } from '../storage/filter.js';
import { findOwned } from '../storage/find-owned.js';
import { Store } from '../storage/store.js';
import { type KeyFacts, LicenseKeyService } from './license-key.service.js';
import { type LicenseQuery, toFilter } from './license-query.js';
import { type License, LICENSES } from './license.js';
import { withProductOf } from './product.js';
import type { OwnedLicense } from './shown-license.js';

/** Licenses that are read at a time where those of a deleted project are passed over. */
const BATCH_SIZE = 1_000;

/**
 * Reads licenses with the product of their project. A license whose project was deleted is unknown, although it may be stored for
 * some time.
 */
@Injectable()
export class LicenseReader {
  constructor(
    private readonly store: Store,
    private readonly keys: LicenseKeyService,
  ) {}

  /** The license with this key, in any form that {@link LicenseKeyService.parse} accepts, or null. */
  async findByKey(key: string): Promise<License | null> {
    const facts = this.keys.read(key);
    return facts ? this.find(facts) : null;
  }

  /** The license with this key, or null. */
  async find({ keyHash, project: _id }: KeyFacts): Promise<License | null> {
    const [license, project] = await Promise.all([
      this.store.find(LICENSES, { keyHash }),
      this.store.find(PROJECTS, { _id }),
    ]);
    return license && ofProject(license, project);
  }

  /**
   * A license of this account with the names of its parents.
   *
   * @throws DomainError LICENSE_NOT_FOUND
   */
  async get(_id: string, accountId: AccountId): Promise<OwnedLicense> {
    const owned = await this.findOwned(_id, accountId);
    if (!owned) throw new DomainError('LICENSE_NOT_FOUND');
    return owned;
  }

  /** The same, or null. */
  async findOwned(_id: string, accountId: AccountId): Promise<OwnedLicense | null> {
    const found = await findOwned(this.store, LICENSES, _id, accountId);
    if (!found) return null;
    const [project, client] = await Promise.all([
      this.findProject(found.project),
      this.store.find(CLIENTS, { _id: found.client }),
    ]);
    const license = ofProject(found, project);
    const names = { clientName: client?.name ?? null, projectName: project?.name ?? null };
    return license && { license, names };
  }

  /** The license whose machines are this group, or null. */
  async findBySeats(seatsOf: string): Promise<License | null> {
    const license = await this.store.find(LICENSES, { seatsOf });
    return license && ofProject(license, await this.findProject(license.project));
  }

  /** A page of the account's licenses, with statuses as of `now`. */
  async list(
    accountId: AccountId,
    query: LicenseQuery,
    { limit, after, total }: PageRequest,
    now: Date,
  ): Promise<Page<License>> {
    const { project, sort, order } = query;
    if (project !== undefined && !(await findOwned(this.store, PROJECTS, project, accountId))) {
      return withTotal({ data: [], next: null }, total ? 0 : undefined);
    }
    const filter = await this.narrowed(toFilter(accountId, query, now), accountId, query);
    if (!filter) return withTotal({ data: [], next: null }, total ? 0 : undefined);
    const count = total ? await this.store.count(LICENSES, filter) : undefined;
    const sorted = { by: sort, direction: order } as const;
    const shown: License[] = [];
    let request: PageRequest = { limit: limit + 1, after };
    for (;;) {
      const { data, next } = await readPage(this.store, LICENSES, filter, sorted, request);
      shown.push(...(await this.ofProjects(data)));
      if (shown.length > limit || !next) {
        return withTotal(pageOf(shown, limit, sort), count);
      }
      request = { limit: BATCH_SIZE, after: next };
    }
  }

  /** The filter with the id of the license that an external id names, so that nothing is scanned; null where none has it. */
  private async narrowed(
    filter: Filter<License>,
    user: AccountId,
    { externalId }: LicenseQuery,
  ): Promise<Filter<License> | null> {
    if (externalId === undefined) return filter;
    const license = await this.store.find(LICENSES, { user, externalId });
    return license && { ...filter, _id: license._id };
  }

  private async ofProjects(licenses: readonly License[]): Promise<License[]> {
    const ids = [...new Set(licenses.map(({ project }) => project))];
    const projects = await Promise.all(ids.map((_id) => this.findProject(_id)));
    const byId = new Map(projects.map((project) => [project?._id, project]));
    return licenses.flatMap((license) => ofProject(license, byId.get(license.project)) ?? []);
  }

  private findProject(_id: string): Promise<Project | null> {
    return this.store.find(PROJECTS, { _id });
  }
}

const ofProject = (license: License, project: Project | null | undefined): License | null =>
  project?._id === license.project ? withProductOf(license, project) : null;
