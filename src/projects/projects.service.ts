import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CLIENTS } from '../clients/client.js';
import { changesOf } from '../events/event.js';
import { type License, LICENSES, type LicenseTerms, type StoredKey } from '../licenses/license.js';
import type { NewLicenseDto } from '../licenses/dto/license.dto.js';
import { termsOf } from '../licenses/license-terms.js';
import { LicenseEvents } from '../licenses/license-events.service.js';
import { LicenseReader, type ShownLicense } from '../licenses/license-reader.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { hasStatus } from '../licenses/license-query.js';
import { NONE_IN_USE } from '../machines/machines.service.js';
import { planFor } from '../plans/plan.js';
import { PlansService } from '../plans/plans.service.js';
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
  MAX_BATCH_SIZE,
  remove,
  replace,
  setAll,
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
import {
  addTask,
  extendedBy,
  newProjectTask,
  PROJECT_TASKS,
  type ProjectTask,
} from './project-task.js';
import { ProjectTasks } from './project-tasks.job.js';

/** Projects that are deleted in one commit. */
const DELETED = 100;
/** Maximum of pending tasks of an account; requests at the same time may exceed it by what each adds. */
export const MAX_TASKS = 1_000;

/** Licenses that were issued at the same time, or the one that was found, as a result is stored: what they have in common once. */
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
    private readonly keys: LicenseKeyService,
    private readonly events: LicenseEvents,
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
        ...(await this.licenses.freeing(holder)),
        insert(LICENSES, license),
        projectEvent('created', project, now, { client, product: project.product }),
        this.events.recordCreation(license),
      ];
      const names = { clientName: owner.name, projectName: project.name };
      const shown = { license, names, machines: NONE_IN_USE, at: now };
      return { result: { project, license: shown }, changes };
    };
    return this.decisions.run(decide, { idempotency });
  }

  /** Issues one license for a project, or a batch, all or none. An account's batches run one after the other, as each takes long. */
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
        ...(await this.licenses.freeing(holder)),
        ...licenses.map((license) => insert(LICENSES, license)),
        ...licenses.map((license) => this.events.recordCreation(license, isInBatch)),
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
   * Revokes the licenses that a project has now, each with its event, in steps after the request. A project has one pending revocation,
   * which a further request extends.
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
      if (!pending) await this.requireFewTasks(accountId);
      const change = pending
        ? replace(PROJECT_TASKS, pending, extendedBy(pending, task))
        : insert(PROJECT_TASKS, task);
      return { result: undefined, changes: [touch(PROJECTS, _id), change] };
    };
    await this.decisions.run<void>(decide, { idempotency, key: _id });
    this.tasks.wake();
  }

  /**
   * Deletes all projects of a client, some in each commit, and revokes and deletes their licenses. No key of a deleted one is valid any
   * more. OVERLOADED if there are more than the request has time for, TOO_MANY_BULK_CHANGES if there are too many: a repeat
   * continues.
   */
  async deleteAllOf(client: string, accountId: AccountId): Promise<void> {
    const filter = { owner: accountId, client };
    const decide = async () => {
      const projects = await this.store.list(PROJECTS, filter, NEWEST_FIRST, { limit: DELETED });
      if (projects.length === 0) return { result: { isDone: true }, changes: [] };
      await this.requireFewTasks(accountId);
      const changes = this.deletionOf(projects, 'revoke_and_remove', this.clock.now());
      return { result: { isDone: false }, changes };
    };
    while (!(await this.decisions.run(decide, { key: client })).isDone) {
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

  /** Renames a project, or gives it a product, which its licenses take over. */
  async update(_id: string, accountId: AccountId, changes: UpdateProjectDto): Promise<Project> {
    const decide = async () => {
      const project = await this.get(_id, accountId);
      const now = this.clock.now();
      const changed = changedProject(project, changes, now);
      if (isUnchanged(project, changed)) return { result: project, changes: [] };
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
   * Deletes a project. From then on, nobody sees its licenses, which {@link ProjectTasks} remove. Each counts until then.
   *
   * @param withLicenses whether also one with ACTIVE or SUSPENDED licenses is deleted, once all of its licenses are revoked
   */
  async delete(_id: string, accountId: AccountId, withLicenses: boolean): Promise<void> {
    const decide = async () => {
      // Read before its licenses: one that becomes ACTIVE afterwards changes the project.
      const project = await this.get(_id, accountId);
      const now = this.clock.now();
      if (!withLicenses && (await this.hasActiveLicenses(project, now))) {
        throw new DomainError('PROJECT_HAS_ACTIVE_LICENSES');
      }
      await this.requireFewTasks(accountId);
      const work = withLicenses ? 'revoke_and_remove' : 'remove';
      return { result: undefined, changes: this.deletionOf([project], work, now) };
    };
    await this.decisions.run<void>(decide, { key: _id });
    this.tasks.wake();
  }

  /** @param projects of one client */
  private deletionOf(projects: readonly Project[], work: ProjectTask['work'], now: Date): Change[] {
    const { client, owner } = projects[0]!;
    return [
      ...projects.flatMap((project) => [
        remove(PROJECTS, project),
        addTask(project, work, now),
        projectEvent('deleted', project, now, { licenses: project.licensesCount }),
      ]),
      increment(CLIENTS, client, { projectsCount: -projects.length }),
      this.quotas.subtract(owner, { projectsCount: projects.length }),
    ];
  }

  /** @throws DomainError TOO_MANY_BULK_CHANGES */
  private async requireFewTasks(accountId: AccountId): Promise<void> {
    const count = await this.store.count(PROJECT_TASKS, { accountId }, MAX_TASKS);
    if (count === MAX_TASKS) throw new DomainError('TOO_MANY_BULK_CHANGES');
  }

  /** Whether licenses of a project may be used now, or are suspended. */
  private async hasActiveLicenses({ _id, owner }: Project, now: Date): Promise<boolean> {
    const counts = await Promise.all(
      (['ACTIVE', 'SUSPENDED'] as const).map((status) =>
        this.store.count(LICENSES, { project: _id, user: owner, ...hasStatus(status, now) }, 1),
      ),
    );
    return counts.some((count) => count > 0);
  }

  private issue(
    { _id: project, owner: user, client, product }: Project,
    terms: LicenseTerms,
    now: Date,
  ): License {
    return this.keys.issue({ ...terms, user, client, project, product }, now);
  }
}

/** The changes by which the licenses of a project take over its product, some of them where there are many. */
function productChanges(before: Project, after: Project): Change[] {
  const { _id, product, licensesCount, updatedAt } = after;
  if (product === before.product) return [];
  const set = setAll(LICENSES, { project: _id, product: null }, { product });
  if (licensesCount <= MAX_BATCH_SIZE) return [set];
  return [set, addTask(after, 'set_product', updatedAt)];
}
