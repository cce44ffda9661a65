import { Injectable } from '@nestjs/common';
import { CLIENTS } from '../clients/client.js';
import { Machines, type SeatsInUse } from '../machines/machines.service.js';
import { PLANS } from '../plans/plan.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import {
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  readPage,
  withTotal,
} from '../shared/pagination/page.js';
import { type Change, replace } from '../storage/changes.js';
import type { Collection, Stored } from '../storage/collection.js';
import type { Filter } from '../storage/filter.js';
import { findOwned, type Order, Store } from '../storage/store.js';
import { type KeyFacts, LicenseKeyService } from './license-key.service.js';
import type { LicenseFilterQuery } from './dto/license-list.query.js';
import { toFilter } from './license-query.js';
import { type License, LICENSES, withProductOf } from './license.js';

/** Licenses read at a time when skipping licenses of a deleted project. */
const BATCH_SIZE = 1_000;

/** The names of a license's client and project; null if it was deleted in the meantime. */
interface ParentNames {
  readonly clientName: string | null;
  readonly projectName: string | null;
}

/** The fields of an export that are not in the license; null if there is none, or it was deleted. */
export interface ExportedNames {
  readonly clientEmail: string | null;
  readonly planName: string | null;
}

/**
 * A license with everything that a response shows, as of a time. Stored as the result of a request, so a
 * repeated request shows the same.
 */
export interface ShownLicense {
  readonly license: License;
  readonly names: ParentNames;
  readonly machines: SeatsInUse;
  readonly at: Date;
}

/**
 * Reads licenses with the product of their project. If a license's project was deleted, the license is not
 * found, although it may stay stored for a while.
 */
@Injectable()
export class LicenseReader {
  constructor(
    private readonly store: Store,
    private readonly keys: LicenseKeyService,
    private readonly machines: Machines,
  ) {}

  /** The license with the key that this text contains or means, or null. */
  findByKey(text: string): Promise<License | null> {
    return this.keys.lookUp(text, (key) => this.find(key));
  }

  /** The license with this key, or null. */
  async find({ keyHash, project: named }: KeyFacts): Promise<License | null> {
    const [license, project] = await Promise.all([
      this.store.find(LICENSES, { keyHash }),
      named === null ? null : this.findProject(named),
    ]);
    // An imported license may belong to a different project than its key says.
    return license?.project === named ? ofProject(license, project) : this.withProduct(license);
  }

  async get(_id: string, accountId: AccountId): Promise<License> {
    const license = await this.findOwned(_id, accountId);
    if (!license) throw new DomainError('LICENSE_NOT_FOUND');
    return license;
  }

  async findOwned(_id: string, accountId: AccountId): Promise<License | null> {
    return this.withProduct(await findOwned(this.store, LICENSES, _id, accountId));
  }

  async findByExternalId(externalId: string, user: AccountId): Promise<License | null> {
    return this.withProduct(await this.findHolder(externalId, user));
  }

  /** The license that has an external id, even if its project was deleted; null if none has it. */
  async findHolder(
    externalId: string | null | undefined,
    user: AccountId,
  ): Promise<License | null> {
    return externalId ? this.store.find(LICENSES, { user, externalId }) : null;
  }

  /** The license that was imported from this reference, or null. */
  async findImported(importedAs: string): Promise<License | null> {
    return this.withProduct(await this.store.find(LICENSES, { importedAs }));
  }

  /** The license that has this seat group, or null. */
  async findBySeats(seatsOf: string): Promise<License | null> {
    return this.withProduct(await this.store.find(LICENSES, { seatsOf }));
  }

  /**
   * The changes that free an external id for a license, because a license of a deleted project may still
   * have it.
   *
   * @param holder the license that has it
   * @param recipient the id of the license that gets it
   * @throws DomainError LICENSE_EXISTS, which names the license that has it
   */
  async freeExternalId(holder: License | null, recipient?: string): Promise<Change[]> {
    if (!holder || holder._id === recipient) return [];
    if (await this.findProject(holder.project)) {
      throw new DomainError('LICENSE_EXISTS', { licenseId: holder._id });
    }
    return [replace(LICENSES, holder, { ...holder, externalId: null })];
  }

  /** A license as a response shows it once these changes are committed. */
  async show(license: License, at: Date, changes: readonly Change[] = []): Promise<ShownLicense> {
    const namesOf = await this.namesOf([license]);
    const machines = await this.machines.inUse(license, at, changes);
    return { license, names: namesOf(license), machines, at };
  }

  /** Licenses of an account as a response shows them. */
  async showAll(licenses: readonly License[], at: Date): Promise<ShownLicense[]> {
    const [namesOf, machines] = await Promise.all([
      this.namesOf(licenses),
      this.machines.inUseOfEach(licenses, at),
    ]);
    return licenses.map((license) => ({
      license,
      names: namesOf(license),
      machines: machines.get(license._id)!,
      at,
    }));
  }

  /** @param withEmails whether the caller may see the email addresses of clients */
  async exportedNamesOf(
    licenses: readonly License[],
    withEmails: boolean,
  ): Promise<(license: Pick<License, 'client' | 'plan'>) => ExportedNames> {
    const [clients, plans] = await Promise.all([
      this.findEach(CLIENTS, withEmails ? licenses.map(({ client }) => client) : []),
      this.findEach(
        PLANS,
        licenses.flatMap(({ plan }) => plan ?? []),
      ),
    ]);
    return ({ client, plan }) => ({
      clientEmail: clients.get(client)?.email ?? null,
      planName: plans.get(plan ?? '')?.name ?? null,
    });
  }

  private async namesOf(licenses: readonly License[]): Promise<(license: License) => ParentNames> {
    const [clients, projects] = await Promise.all([
      this.findEach(
        CLIENTS,
        licenses.map(({ client }) => client),
      ),
      this.findEach(
        PROJECTS,
        licenses.map(({ project }) => project),
      ),
    ]);
    return ({ client, project }) => ({
      clientName: clients.get(client)?.name ?? null,
      projectName: projects.get(project)?.name ?? null,
    });
  }

  /** The first licenses that a filter selects; fewer if some are of deleted projects. */
  async first(filter: Filter<License>, order: Order<License>, limit: number): Promise<License[]> {
    return this.ofProjects(await this.store.list(LICENSES, filter, order, { limit }));
  }

  /** A page of the account's licenses, with statuses as of `now`. */
  async list(
    accountId: AccountId,
    query: LicenseFilterQuery,
    page: PageRequest,
    now: Date,
  ): Promise<Page<License>> {
    const { limit, after, total } = page;
    const { projectId, sort, order } = query;
    if (projectId !== undefined && !(await findOwned(this.store, PROJECTS, projectId, accountId))) {
      return emptyPage(page);
    }
    const filter = await this.narrowed(toFilter(accountId, query, now), accountId, query);
    if (!filter) return emptyPage(page);
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

  /**
   * The filter with the id of the license that has an external id, so nothing is scanned; null if no
   * license has it.
   */
  private async narrowed(
    filter: Filter<License>,
    user: AccountId,
    { externalId }: LicenseFilterQuery,
  ): Promise<Filter<License> | null> {
    if (externalId === undefined) return filter;
    const license = await this.store.find(LICENSES, { user, externalId });
    return license && { ...filter, _id: license._id };
  }

  private async ofProjects(licenses: readonly License[]): Promise<License[]> {
    const projects = await this.findEach(
      PROJECTS,
      licenses.map(({ project }) => project),
    );
    return licenses.flatMap((license) => ofProject(license, projects.get(license.project)) ?? []);
  }

  private async withProduct(license: License | null): Promise<License | null> {
    return license && ofProject(license, await this.findProject(license.project));
  }

  private async findEach<R extends Stored>(
    collection: Collection<R>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, R>> {
    const found = await Promise.all(
      [...new Set(ids)].map((_id) => this.store.find(collection, { _id } as Partial<R>)),
    );
    return new Map(found.flatMap((record) => (record ? [[record._id, record]] : [])));
  }

  private findProject(_id: string): Promise<Project | null> {
    return this.store.find(PROJECTS, { _id });
  }
}

const ofProject = (license: License, project: Project | null | undefined): License | null =>
  project?._id === license.project ? withProductOf(license, project) : null;
