import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type License, LICENSES } from '../licenses/license.js';
import { LicenseEvents } from '../licenses/license-events.service.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { revoked } from '../licenses/license-transitions.js';
import { Seats } from '../machines/seats.service.js';
import { Job } from '../jobs/job.js';
import { RoundRobin } from '../jobs/round-robin.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { AccountQuotas, TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, remove, setAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import type { Filter } from '../storage/filter.js';
import { type ListPosition, Store } from '../storage/store.js';
import { PROJECT_TASKS, type ProjectTask } from './project-task.js';

/** Tasks of an account that one turn continues, so that a small one does not wait for a large one. */
const TASKS_PER_TURN = 4;
/** Maximum number of licenses changed, and of machines removed, per turn; its tasks get equal shares. */
export const TURN_SIZE = 100;
/** Machines removed per license of a share. */
const MACHINES_PER_LICENSE = 10;
/** Maximum number of tasks whose progress is remembered. */
const MAX_REMEMBERED = 10_000;

const BY_ID = { by: '_id', direction: 'asc' } as const;
const OLDEST_FIRST = { by: 'createdAt', direction: 'asc' } as const;

/**
 * Executes project tasks in small steps, account by account. Several instances may execute the same step at the same time,
 * because each change has a condition.
 */
@Injectable()
export class ProjectTasks extends Job {
  private readonly accounts: RoundRobin<ProjectTask>;
  /**
   * The last license of the latest step of a task, which skips what it has changed. It is not stored: a write per step would
   * conflict with requests that extend a revocation, and another instance skips the same licenses.
   */
  private readonly positions = new LRUCache<string, ListPosition>({ max: MAX_REMEMBERED });

  constructor(
    private readonly store: Store,
    private readonly events: LicenseEvents,
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

  /** Gives each account a turn. A failed turn is retried in the next step, and delays no other account. */
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
    // An account that is being deleted loses its tasks, too.
    if (!(await this.store.find(TOTALS, { _id: accountId }))) return 0;
    const slice = { limit: TASKS_PER_TURN };
    const tasks = await this.store.list(PROJECT_TASKS, { accountId }, BY_ID, slice);
    for (const task of tasks) {
      const isDone = await this.stepOf(task, Math.floor(TURN_SIZE / tasks.length));
      if (isDone) await this.decisions.commit([remove(PROJECT_TASKS, task)]);
      await this.pauseStep();
    }
    return tasks.length;
  }

  /**
   * @param limit maximum number of licenses to change @returns whether the task is finished
   */
  private stepOf(task: ProjectTask, limit: number): Promise<boolean> {
    switch (task.work) {
      case 'remove':
      case 'revoke_and_remove':
        return this.removeSome(task, limit);
      case 'set_product':
        return this.setProduct(task, limit);
      case 'revoke':
        return this.revokeSome(task, limit);
    }
  }

  private async removeSome(task: ProjectTask, limit: number): Promise<boolean> {
    const found = await this.list({ project: task.project }, undefined, limit);
    if (found.length === 0) return true;
    const seats = await this.seats.removalStep(found, limit * MACHINES_PER_LICENSE);
    const now = this.clock.now();
    const removals = [
      ...found.flatMap((license) => this.removalOf(license, task, now)),
      this.quotas.subtract(task.accountId, { licensesCount: found.length }),
    ];
    const { ok } = await this.decisions.commit(seats.length > 0 ? seats : removals);
    return ok && seats.length === 0 && found.length < limit;
  }

  /** The changes that remove a license; its events report the revocation, unless it was already revoked, and the deletion. */
  private removalOf(before: License, { work, by, requestId }: ProjectTask, now: Date): Change[] {
    const license = work === 'revoke_and_remove' ? revoked(before, null, now) : before;
    const revocation = { by, requestId, data: { reason: null } };
    return [
      ...(license === before ? [] : [this.events.record('revoked', license, now, revocation)]),
      remove(LICENSES, license),
      this.events.record('deleted', license, now, { by, requestId }),
    ];
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
    const found = await this.list({ project }, this.positions.get(id), limit);
    const older = found.filter((license) => license.createdAt <= createdAt);
    const left = older.filter(({ status }) => status !== 'REVOKED');
    await Promise.all(left.map(({ _id }) => this.revoke(_id, task)));
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

  /** Revokes a license as it is now; if its project is deleted in the meantime, it is no longer found. */
  private async revoke(_id: string, { accountId, reason, by, requestId }: ProjectTask) {
    const cause = { by, requestId };
    await this.licenses.revoke(_id, accountId, reason, undefined, cause).catch((error: unknown) => {
      if (!(error instanceof DomainError && error.code === 'LICENSE_NOT_FOUND')) throw error;
    });
  }
}
