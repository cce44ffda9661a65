import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { binnedProject } from '../bin/binned.js';
import { Bin } from '../bin/bin.service.js';
import { CLIENTS } from '../clients/client.js';
import { changesOf } from '../events/event.js';
import { type License, LICENSES, type LicenseTerms, type StoredKey } from '../licenses/license.js';
import type { NewLicenseDto } from '../licenses/dto/license.dto.js';
import { termsOf } from '../licenses/license-terms.js';
import { LicenseReader, type ShownLicense } from '../licenses/license-reader.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { NONE_IN_USE } from '../machines/machines.service.js';
import { planFor, PlansService } from '../plans/plans.service.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import { AccountQuotas } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import {
  type Change,
  increment,
  insert,
  isUnchanged,
  remove,
  replace,
  touch,
} from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { requireTimeForStep } from '../shared/request-context.js';
import { omitUndefined } from '../storage/filter.js';
import { getOwned, Store } from '../storage/store.js';
import {
  changedProject,
  newProject,
  type Project,
  projectEvent,
  type ProjectFields,
  PROJECTS,
} from './project.js';
import type { CreateLicenseDto, ProjectListQuery, UpdateProjectDto } from './dto/project.dto.js';
import { extendedBy, newProjectTask, productChanges, PROJECT_TASKS } from './project-task.js';
import { hasActiveLicenses, needsProduct } from './project-licenses.js';
import { ProjectTasks } from './project-tasks.job.js';
import { creationEvent } from '../licenses/license-events.js';

/** Maximum number of projects deleted in one commit; each has an event with up to 20 deliveries. */
const DELETED = 20;

/** Licenses issued together, or the license found, as stored in a result, with common fields only once. */
interface Batch {
  readonly first: ShownLicense;
  readonly own: readonly (StoredKey & Pick<License, '_id' | 'seatsOf'>)[];
  readonly isFound: boolean;
}

@Injectable()
export class ProjectsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly quotas: AccountQuotas,
    private readonly bin: Bin,
    private readonly keys: LicenseKeyService,
    private readonly plans: PlansService,
    private readonly licenses: LicenseReader,
    private readonly tasks: ProjectTasks,
    private readonly clock: Clock,
  ) {}

  /** Creates a project and its first license, both or neither (specification, section 4.2). */
  createWithFirstLicense(
    accountId: AccountId,
    fields: ProjectFields,
    request: NewLicenseDto,
    idempotency?: IdempotencyRecord,
  ): Promise<{ readonly project: Project; readonly license: ShownLicense }> {
    const now = this.clock.now();
    const first = newProject(accountId, fields, now);
    const { client } = first;
    const added = { projectsCount: 1, licensesCount: 1 };
    const decide = async (failed?: Change) => {
      const owner = await getOwned(this.store, CLIENTS, client, accountId, 'CLIENT_NOT_FOUND');
      await this.quotas.requireCounted(failed, accountId, added);
      const plan = await this.plans.find(request.plan, accountId);
      const project = { ...first, product: first.product ?? plan?.product ?? null };
      const terms = termsOf(request, planFor(project, plan), now);
      const holder = await this.licenses.findHolder(terms.externalId, accountId);
      const license = this.issue(project, terms, now);
      const changes = [
        increment(CLIENTS, client, { projectsCount: 1 }, { where: { owner: accountId } }),
        this.quotas.add(accountId, added),
        insert(PROJECTS, project),
        ...(await this.licenses.freeExternalId(holder)),
        insert(LICENSES, license),
        projectEvent('created', project, now, { client, product: project.product }),
        creationEvent(license),
      ];
      const names = { clientName: owner.name, projectName: project.name };
      const shown = { license, names, machines: NONE_IN_USE, at: now };
      return { result: { project, license: shown }, changes };
    };
    return this.decisions.run(decide, { idempotency });
  }

  /**
   * Issues one license for a project, or a batch, all or none. An account's batches run one after the
   * other, because each takes a while.
   */
  async addLicenses(
    _id: string,
    accountId: AccountId,
    request: CreateLicenseDto,
    batchSize: number | undefined,
    idempotency?: IdempotencyRecord,
  ): Promise<{ readonly licenses: readonly ShownLicense[]; readonly isFound: boolean }> {
    const [count, isInBatch] = [batchSize ?? 1, batchSize !== undefined];
    const added = { licensesCount: count };
    const decide = async (failed?: Change) => {
      // Other requests run between two batches.
      if (isInBatch) await setImmediate();
      const project = await this.get(_id, accountId);
      const now = this.clock.now();
      const holder = await this.licenses.findHolder(request.externalId, accountId);
      if (request.ifExists && holder?.project === _id) {
        const found = { ...holder, product: project.product };
        const first = await this.licenses.show(found, now);
        return { result: { first, own: [found], isFound: true }, changes: [] };
      }
      await this.quotas.requireCounted(failed, accountId, added);
      const plan = await this.plans.find(request.plan, accountId);
      const terms = termsOf(request, planFor(project, plan), now);
      const licenses = Array.from({ length: count }, () => this.issue(project, terms, now));
      const changes = [
        increment(PROJECTS, _id, added, { where: { owner: accountId, product: project.product } }),
        this.quotas.add(accountId, added),
        ...(await this.licenses.freeExternalId(holder)),
        ...licenses.map((license) => insert(LICENSES, license)),
        ...licenses.map((license) => creationEvent(license, isInBatch)),
      ];
      const first = await this.licenses.show(licenses[0]!, now);
      const own = licenses.map(({ _id, keyHash, sealedKey, keyHint, seatsOf }) => ({
        ...{ _id, keyHash, sealedKey, keyHint, seatsOf },
      }));
      return { result: { first, own, isFound: false }, changes };
    };
    const key = isInBatch ? `batches of ${accountId}` : undefined;
    const { first, own, isFound } = await this.decisions.run<Batch>(decide, { idempotency, key });
    const licenses = own.map((one) => ({ ...first, license: { ...first.license, ...one } }));
    return { licenses, isFound };
  }

  /**
   * Revokes the current licenses of a project, each with its event, in steps after the request. A project has one pending
   * revocation, which another request extends.
   */
  async revokeLicenses(
    _id: string,
    accountId: AccountId,
    reason: string | null,
    idempotency?: IdempotencyRecord,
  ): Promise<void> {
    const decide = async () => {
      const project = await this.get(_id, accountId);
      const task = newProjectTask(project, 'revoke', this.clock.now(), reason);
      const pending = await this.store.find(PROJECT_TASKS, { project: _id, work: 'revoke' });
      if (!pending) await this.bin.requireFewTasks(accountId);
      const change = pending
        ? replace(PROJECT_TASKS, pending, extendedBy(pending, task))
        : insert(PROJECT_TASKS, task);
      return { result: undefined, changes: [touch(PROJECTS, _id), change] };
    };
    await this.decisions.run<void>(decide, { idempotency, key: _id });
    this.tasks.wake();
  }

  /**
   * Deletes all projects of a client and their licenses, a few projects per commit. Their keys are no
   * longer valid. An account's deletions run one after the other, because their commits are large.
   * OVERLOADED if the request runs out of time, TOO_MANY_BULK_CHANGES if there are too many; repeating the
   * request continues.
   */
  async deleteAllOf(client: string, accountId: AccountId): Promise<void> {
    const filter = { owner: accountId, client };
    const decide = async (failed?: Change) => {
      const projects = await this.store.list(PROJECTS, filter, NEWEST_FIRST, { limit: DELETED });
      if (projects.length === 0) return { result: { isDone: true }, changes: [] };
      await this.requireFewTasks(accountId, failed);
      const changes = await this.deletionOf(projects, { deletedWith: client, revokes: true });
      return { result: { isDone: false }, changes };
    };
    while (!(await this.decisions.run(decide, { key: `projects of ${accountId}` })).isDone) {
      this.tasks.wake();
      requireTimeForStep();
    }
  }

  get(_id: string, accountId: AccountId): Promise<Project> {
    return getOwned(this.store, PROJECTS, _id, accountId, 'PROJECT_NOT_FOUND');
  }

  list(
    owner: AccountId,
    { clientId: client, product }: ProjectListQuery,
    page: PageRequest,
  ): Promise<Page<Project>> {
    const filter = { owner, ...omitUndefined({ client, product }) };
    return readPage(this.store, PROJECTS, filter, NEWEST_FIRST, page);
  }

  /**
   * Renames a project, or gives it a product that its licenses take over.
   *
   * @throws DomainError PROJECT_HAS_PRODUCT if certificates may contain its current product, or if it has
   *   too many licenses
   */
  async update(_id: string, accountId: AccountId, changes: UpdateProjectDto): Promise<Project> {
    const decide = async () => {
      // Read before its licenses, because a license that becomes ACTIVE afterwards changes the project.
      const project = await this.get(_id, accountId);
      const now = this.clock.now();
      const changed = changedProject(project, changes, now);
      if (isUnchanged(project, changed)) return { result: project, changes: [] };
      const isReplaced = project.product !== null && changed.product !== project.product;
      if (isReplaced && (await needsProduct(this.store, project))) {
        throw new DomainError('PROJECT_HAS_PRODUCT');
      }
      const data = changesOf(project, changed, ['name', 'product']);
      const event = projectEvent('updated', changed, now, data);
      const others = [...productChanges(project, changed), event];
      return { result: changed, changes: [replace(PROJECTS, project, changed), ...others] };
    };
    const updated = await this.decisions.run(decide, { key: _id });
    if (changes.product !== undefined) this.tasks.wake();
    return updated;
  }

  /**
   * Deletes a project. From then on, its licenses are invisible, and {@link ProjectTasks} moves them into
   * the bin.
   *
   * @param withLicenses whether to delete it even if it has ACTIVE or SUSPENDED licenses, and report all
   *   licenses as revoked
   */
  async delete(_id: string, accountId: AccountId, withLicenses: boolean): Promise<void> {
    const decide = async (failed?: Change) => {
      // Read before its licenses, because a license that becomes ACTIVE afterwards changes the project.
      const project = await this.get(_id, accountId);
      const now = this.clock.now();
      if (!withLicenses && (await hasActiveLicenses(this.store, project, now))) {
        throw new DomainError('PROJECT_HAS_ACTIVE_LICENSES');
      }
      await this.requireFewTasks(accountId, failed);
      const changes = await this.deletionOf([project], { revokes: withLicenses });
      return { result: undefined, changes };
    };
    await this.decisions.run<void>(decide, { key: _id });
    this.tasks.wake();
  }

  /**
   * @param projects projects of one client
   * @param deletedWith the client, if they are deleted with it
   */
  private async deletionOf(
    projects: readonly Project[],
    { deletedWith = null, revokes }: { deletedWith?: string | null; revokes: boolean },
  ): Promise<Change[]> {
    const { client, owner } = projects[0]!;
    const now = this.clock.now();
    const entries = projects.map((project) => binnedProject(project, deletedWith, now));
    const licensesCount = projects.reduce((sum, one) => sum + one.licensesCount, 0);
    const deleted = { projectsCount: projects.length, licensesCount };
    return [
      ...projects.flatMap((project) => [
        remove(PROJECTS, project),
        projectEvent('deleted', project, now, { licenses: project.licensesCount }),
      ]),
      ...(await Promise.all(entries.map((entry) => this.bin.followOf(entry, revokes)))).flat(),
      increment(CLIENTS, client, { projectsCount: -projects.length }),
      ...(await this.bin.add(owner, entries, deleted)),
    ];
  }

  /** @throws DomainError TOO_MANY_BULK_CHANGES; UNAUTHORIZED if the account was deleted in the meantime */
  private async requireFewTasks(accountId: AccountId, failed?: Change): Promise<void> {
    await this.quotas.requireCounted(failed, accountId);
    await this.bin.requireFewTasks(accountId);
  }

  private issue(
    { _id: project, owner: user, client, product }: Project,
    terms: LicenseTerms,
    now: Date,
  ): License {
    return this.keys.issue({ ...terms, user, client, project, product }, now);
  }
}
