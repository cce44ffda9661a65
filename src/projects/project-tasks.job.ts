import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type Binned, BINNED, binnedLicense, recordIn } from '../bin/binned.js';
import { conflictOf, restoredLicense } from '../bin/license-conflict.js';
import { type License, LICENSES } from '../licenses/license.js';
import { maskedKey } from '../licenses/license-key.service.js';
import { revocation } from '../licenses/license-changes.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { revoked } from '../licenses/license-transitions.js';
import { Seats } from '../machines/seats.service.js';
import { CONCURRENCY, Job } from '../jobs/job.js';
import { RoundRobin } from '../jobs/round-robin.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { AccountQuotas, TOTALS } from '../shared/quotas/account-totals.js';
import { OLDEST_FIRST } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, increment, insert, remove, replace, setAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import type { Filter } from '../storage/filter.js';
import { type ListPosition, Store } from '../storage/store.js';
import { FOLLOWED, PROJECT_TASKS, type ProjectTask, TURN_SIZE } from './project-task.js';
import { type Project, PROJECTS } from './project.js';
import { licenseEvent } from '../licenses/license-events.js';

/** Number of an account's tasks that one turn continues, so a small task does not wait for a large one. */
const TASKS_PER_TURN = 4;
/** Machines removed per license in a share. */
const MACHINES_PER_LICENSE = 10;
/** Maximum number of tasks whose progress is remembered. */
const MAX_REMEMBERED = 10_000;

const BY_ID = { by: '_id', direction: 'asc' } as const;

/** The changes of a step, and whether it is the last. */
interface Step {
  readonly changes: readonly Change[];
  readonly isLast: boolean;
}

const NO_STEP: Step = { changes: [], isLast: false };

/**
 * Executes project tasks in small steps, account by account. Several instances may execute the same step at the same time,
 * because each change has a condition.
 */
@Injectable()
export class ProjectTasks extends Job {
  private readonly accounts: RoundRobin<ProjectTask>;
  /**
   * The last license in the latest step of a task, so the next step skips what it has changed. It is not
   * stored, because a write per step would conflict with requests that extend a revocation. Another
   * instance skips the same licenses anyway.
   */
  private readonly positions = new LRUCache<string, ListPosition>({ max: MAX_REMEMBERED });

  constructor(
    private readonly store: Store,
    private readonly licenses: LicensesService,
    private readonly seats: Seats,
    private readonly quotas: AccountQuotas,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    // The interval is for tasks that another instance left unfinished.
    super({ interval: 30_000, pause: 5 });
    this.accounts = new RoundRobin(store, PROJECT_TASKS, {}, 'accountId');
  }

  /** Gives each account a turn. A failed turn is retried in the next step and delays no other account. */
  async step(): Promise<boolean> {
    let executed = 0;
    const visit = async ({ accountId }: ProjectTask) => {
      const turn = this.turnOf(accountId).catch((error: Error) => this.logFailure(error));
      executed += Number(await turn);
      return !this.isStopping;
    };
    while (await this.accounts.visitNext(visit));
    return executed > 0;
  }

  /** @returns how many of the account's oldest tasks were continued */
  private async turnOf(accountId: AccountId): Promise<number> {
    // Tasks of an account that is being deleted are also removed.
    if (!(await this.store.find(TOTALS, { _id: accountId }))) return 0;
    const slice = { limit: TASKS_PER_TURN };
    const tasks = await this.store.list(PROJECT_TASKS, { accountId }, BY_ID, slice);
    for (const task of tasks) {
      await this.continue(task, Math.floor(TURN_SIZE / tasks.length));
      await this.pauseStep();
    }
    return tasks.length;
  }

  private async continue(task: ProjectTask, limit: number): Promise<void> {
    const isDone = await this.stepOf(task, limit);
    if (isDone) await this.decisions.commit([remove(PROJECT_TASKS, task)]);
  }

  /**
   * @param limit maximum number of licenses to change @returns whether the task is finished
   */
  private stepOf(task: ProjectTask, limit: number): Promise<boolean> {
    switch (task.work) {
      case 'follow':
        return this.follow(task, limit);
      case 'set_product':
        return this.setProduct(task, limit);
      case 'revoke':
        return this.revokeSome(task, limit);
    }
  }

  /**
   * Moves the licenses of a project along with it: into the bin, out of it, or to erasure. Each step
   * changes or removes its task, so it fails if the project has been deleted, restored or erased since.
   */
  private async follow(task: ProjectTask, share: number): Promise<false> {
    const { project: _id } = task;
    const limit = Math.ceil((share * FOLLOWED) / TURN_SIZE);
    const project = await this.store.find(PROJECTS, { _id });
    const { changes, isLast } = project
      ? await this.bringBack(project, task, limit)
      : await this.putAway(task, limit);
    const end = isLast ? remove(PROJECT_TASKS, task) : replace(PROJECT_TASKS, task, task);
    await this.decisions.commit([...changes, end]);
    return false;
  }

  private async putAway(task: ProjectTask, limit: number): Promise<Step> {
    const { project, accountId } = task;
    const revocation = await this.store.find(PROJECT_TASKS, { project, work: 'revoke' });
    if (revocation) {
      // The task is from before the deletion.
      await this.continue(revocation, limit);
      return NO_STEP;
    }
    const found = await this.list({ project }, undefined, limit);
    const entry = await this.store.find(BINNED, { _id: project });
    if (found.length === 0 && !entry?.isListed) return this.erase(task, limit);
    const now = this.clock.now();
    const counted = this.quotas.count(accountId, { binnedMachines: seatsOf(found) });
    const changes = [...found.flatMap((license) => this.binningOf(license, task, now)), ...counted];
    return { changes, isLast: !!entry?.isListed && found.length < limit };
  }

  /**
   * The changes that put a license into the bin unchanged. If all licenses are deleted regardless of
   * status, its events first report a revocation, unless it was already revoked.
   */
  private binningOf(
    license: License,
    { revokes, by, requestId }: ProjectTask,
    now: Date,
  ): Change[] {
    const shown = revokes ? revoked(license, null, now) : license;
    const revocation = { by, requestId, data: { reason: null } };
    return [
      ...(shown === license ? [] : [licenseEvent('revoked', shown, now, revocation)]),
      remove(LICENSES, license),
      insert(BINNED, binnedLicense(license, maskedKey(license), by, now)),
      licenseEvent('deleted', shown, now, { by, requestId }),
    ];
  }

  /** A license stays in the bin, listed by itself, if another license has one of its unique values. */
  private async bringBack(project: Project, task: ProjectTask, limit: number): Promise<Step> {
    const { _id, product } = project;
    const { by, requestId, accountId } = task;
    const rows = await this.licensesInBin(_id, limit);
    const now = this.clock.now();
    const conflicts = await Promise.all(
      rows.map((row) => conflictOf(this.store, recordIn<License>(row))),
    );
    const left = rows.filter((_, index) => conflicts[index]);
    const free = rows.filter((_, index) => !conflicts[index]);
    const restored = await Promise.all(
      free.map(async (row) => {
        const license = restoredLicense(recordIn<License>(row), project, now);
        return [
          remove(BINNED, row),
          insert(LICENSES, await this.seats.withSeatsLeft(license)),
          licenseEvent('restored', license, now, { by, requestId }),
        ];
      }),
    );
    const counted = this.quotas.count(accountId, {
      licensesCount: -left.length,
      binnedCount: left.length,
      binnedMachines: -seatsOf(free.map(recordIn<License>)),
    });
    const changes = [
      ...restored.flat(),
      ...left.map((row) => replace(BINNED, row, { ...row, isListed: true })),
      increment(PROJECTS, _id, { licensesCount: -left.length }, { where: { product } }),
      ...counted,
    ];
    return { changes, isLast: rows.length < limit };
  }

  /** Removes the licenses of an erased project from the bin, each after its machines. */
  private async erase({ project, accountId }: ProjectTask, limit: number): Promise<Step> {
    const rows = await this.licensesInBin(project, limit);
    const licenses = rows.map(recordIn<License>);
    const machines = await this.seats.removalStep(licenses, limit * MACHINES_PER_LICENSE);
    if (machines.length > 0) return { changes: machines, isLast: false };
    const removed = rows.map((row) => remove(BINNED, row));
    const counted = this.quotas.count(accountId, { binnedMachines: -seatsOf(licenses) });
    return { changes: [...removed, ...counted], isLast: rows.length < limit };
  }

  private licensesInBin(parent: string, limit: number): Promise<Binned[]> {
    return this.store.list(BINNED, { parent, isListed: false }, BY_ID, { limit });
  }

  private async setProduct(task: ProjectTask, limit: number): Promise<boolean> {
    const { _id: id, project, product } = task;
    const found = await this.list({ project, product: null }, this.positions.get(id), limit);
    const oneOf = found.map(({ _id }) => _id);
    const set = setAll(LICENSES, { _id: { oneOf }, product: null }, { product });
    await this.decisions.commit([set]);
    this.moveAfter(task, found);
    return found.length < limit;
  }

  private async revokeSome(task: ProjectTask, limit: number): Promise<boolean> {
    const { _id: id, project, createdAt } = task;
    const isLive = await this.store.find(PROJECTS, { _id: project });
    // First, the licenses of a restored project are restored.
    const following = await this.store.find(PROJECT_TASKS, { project, work: 'follow' });
    if (isLive && following) return this.follow(following, limit);
    const found = await this.list({ project }, this.positions.get(id), limit);
    const older = found.filter((license) => license.createdAt <= createdAt);
    const left = older.filter(({ status }) => status !== 'REVOKED');
    if (isLive) await pLimit(CONCURRENCY).map(left, ({ _id }) => this.revoke(_id, task));
    else if (!(await this.revokeDeleted(left, task))) return false;
    this.moveAfter(task, older);
    return older.length < limit;
  }

  /** Lets the next step of a task continue after these licenses. */
  private moveAfter({ _id: id }: ProjectTask, licenses: readonly License[]): void {
    for (const { createdAt, _id } of licenses.slice(-1)) {
      this.positions.set(id, { value: createdAt, _id });
    }
  }

  private list(
    filter: Filter<License>,
    after: ListPosition | undefined,
    limit: number,
  ): Promise<License[]> {
    return this.store.list(LICENSES, filter, OLDEST_FIRST, { limit, after });
  }

  /** Revokes a license as it is now. If its project has been deleted since, the license is no longer found. */
  private async revoke(_id: string, { accountId, reason, by, requestId }: ProjectTask) {
    const change = revocation(reason, { by, requestId });
    await this.licenses.change(_id, accountId, change).catch((error: unknown) => {
      if (!(error instanceof DomainError && error.code === 'LICENSE_NOT_FOUND')) throw error;
    });
  }

  /** Revokes licenses of a project that was deleted after the task started; they are revoked when they are restored. */
  private async revokeDeleted(licenses: readonly License[], task: ProjectTask): Promise<boolean> {
    const { reason, by, requestId } = task;
    const now = this.clock.now();
    const changes = licenses.flatMap((before) => {
      const license = revoked(before, reason, now);
      const event = licenseEvent('revoked', license, now, {
        data: { reason },
        by,
        requestId,
      });
      return [replace(LICENSES, before, license), event];
    });
    return changes.length === 0 || (await this.decisions.commit(changes)).ok;
  }
}

const seatsOf = (licenses: readonly License[]): number =>
  licenses.reduce((sum, { seats }) => sum + seats, 0);
