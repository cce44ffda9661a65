import { Injectable } from '@nestjs/common';
import { type License, LICENSES } from '../licenses/license.js';
import { LicenseEvents } from '../licenses/license-events.service.js';
import { revoked } from '../licenses/license-transitions.js';
import { Seats } from '../machines/seats.service.js';
import { BackgroundWorker } from '../shared/background-worker.js';
import { Clock } from '../shared/time/clock.js';
import { remove, replace, setAll, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import type { Filter } from '../storage/filter.js';
import { RoundRobin } from '../storage/round-robin.js';
import { type ListPosition, Store } from '../storage/store.js';
import { PROJECTS } from './project.js';
import { PROJECT_TASKS, type ProjectTask } from './project-task.js';

/** Tasks of an account that its turn continues. */
const TASKS_PER_TURN = 4;
/** Maximum of licenses that a step changes. */
export const STEP_SIZE = 100;

const BY_ID = { by: '_id', direction: 'asc' } as const;
const OLDEST_FIRST = { by: 'createdAt', direction: 'asc' } as const;

/**
 * Executes project tasks in small steps, the accounts in turns. Instances on one store may execute the same task at the same time:
 * each change has its condition.
 */
@Injectable()
export class ProjectTasksWorker extends BackgroundWorker {
  /** The further steps of tasks in progress, by the id of the task. */
  private readonly tasks = new Map<string, AsyncGenerator<void>>();
  private readonly accounts: RoundRobin<ProjectTask>;

  constructor(
    private readonly store: Store,
    private readonly events: LicenseEvents,
    private readonly seats: Seats,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    // The interval is for tasks that another instance has left unfinished.
    super({ interval: 30_000, pause: 5 });
    this.accounts = new RoundRobin(store, PROJECT_TASKS, {}, 'accountId');
  }

  /** Executes a step of the oldest tasks of each account. */
  async step(): Promise<boolean> {
    let executed = 0;
    const visit = async ({ accountId }: ProjectTask) => {
      const slice = { limit: TASKS_PER_TURN };
      const oldest = await this.store.list(PROJECT_TASKS, { accountId }, BY_ID, slice);
      for (const task of oldest) {
        if (this.isStopping) return false;
        await this.continue(task);
        await this.rest();
        executed += 1;
      }
      return true;
    };
    while (await this.accounts.round(visit));
    // Another instance may have ended tasks that this one has begun.
    if (executed === 0) this.tasks.clear();
    return executed > 0;
  }

  private async continue(task: ProjectTask): Promise<void> {
    const steps = this.tasks.get(task._id) ?? this.stepsOf(task);
    this.tasks.delete(task._id);
    const { done } = await steps.next();
    if (!done) this.tasks.set(task._id, steps);
  }

  /** The steps of a task: one is executed whenever the next is requested. */
  private async *stepsOf(task: ProjectTask): AsyncGenerator<void> {
    switch (task.work) {
      case 'remove':
      case 'revoke_and_remove':
        yield* this.removing(task);
        break;
      case 'set_product':
        yield* this.settingProduct(task);
        break;
      case 'revoke':
        yield* this.revoking(task);
    }
    await this.store.commit([remove(PROJECT_TASKS, task)]);
  }

  private async *removing({ project, work, by, requestId }: ProjectTask): AsyncGenerator<void> {
    for (;;) {
      const found = await this.store.list(LICENSES, { project }, OLDEST_FIRST, {
        limit: STEP_SIZE,
      });
      if (found.length === 0) return;
      const seats = await this.seats.emptying(found);
      if (seats.length > 0) await this.store.commit(seats);
      else {
        const isRevoking = work === 'revoke_and_remove';
        const cause = { by, requestId };
        const removed = this.events.removeAll(found, isRevoking, this.clock.now(), cause);
        const { ok } = await this.decisions.commit(removed);
        if (ok && found.length < STEP_SIZE) return;
      }
      yield;
    }
  }

  private async *settingProduct({ project, product }: ProjectTask): AsyncGenerator<void> {
    for await (const found of this.batchesOf({ project, product: null })) {
      const oneOf = found.map(({ _id }) => _id);
      await this.store.commit([setAll(LICENSES, { _id: { oneOf }, product: null }, { product })]);
      yield;
    }
  }

  private async *revoking(task: ProjectTask): AsyncGenerator<void> {
    const { project, createdAt } = task;
    for await (const found of this.batchesOf({ project })) {
      const older = found.filter((license) => license.createdAt <= createdAt);
      const revoked = await Promise.all(older.map(({ _id }) => this.revokeOne(_id, task)));
      if (revoked.includes(false) || older.length < found.length) return;
      yield;
    }
  }

  /** The licenses that a filter selects, those of a step at a time; each is read once, whatever becomes of the others. */
  private async *batchesOf(filter: Filter<License>): AsyncGenerator<License[]> {
    let after: ListPosition | undefined;
    for (;;) {
      const slice = { limit: STEP_SIZE, after };
      const found = await this.store.list(LICENSES, filter, OLDEST_FIRST, slice);
      const last = found.at(-1);
      if (!last) return;
      yield found;
      after = { value: last.createdAt, _id: last._id };
    }
  }

  /** Revokes a license as it is now, however often it changes meanwhile; false where its project was deleted. */
  private async revokeOne(_id: string, task: ProjectTask): Promise<boolean> {
    const { project, by, requestId, reason } = task;
    for (;;) {
      const before = await this.store.find(LICENSES, { _id });
      if (!before || before.status === 'REVOKED') return true;
      const now = this.clock.now();
      const license = revoked(before, reason, now);
      const committed = await this.decisions.commit([
        touch(PROJECTS, project),
        replace(LICENSES, before, license),
        this.events.record('revoked', license, now, { data: { reason }, by, requestId }),
      ]);
      if (committed.ok) return true;
      if (committed.failed.collection === PROJECTS) return false;
    }
  }
}
