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
import { type ListPosition, Store } from '../storage/store.js';
import { PROJECTS } from './project.js';
import { PROJECT_TASKS, type ProjectTask } from './project-task.js';

const MAX_TASKS = 100;
/** Maximum of licenses that a step changes. */
export const STEP_SIZE = 100;

const OLDEST_FIRST = { by: 'createdAt', direction: 'asc' } as const;

/** The further steps of tasks in progress, by the id of the task. */
type Tasks = ReadonlyMap<string, AsyncGenerator<void>>;

/**
 * Executes project tasks in small steps, several in turns. Instances on one store may execute the same task at the same time: each
 * change has its condition.
 */
@Injectable()
export class ProjectTasksWorker extends BackgroundWorker {
  private tasks: Tasks = new Map();

  constructor(
    private readonly store: Store,
    private readonly events: LicenseEvents,
    private readonly seats: Seats,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    // The interval is for tasks that another instance has left unfinished.
    super({ interval: 30_000, pause: 5 });
  }

  /** Executes a step of each stored task. */
  async step(): Promise<boolean> {
    const started = this.tasks;
    this.tasks = new Map();
    const stored = await this.store.list(PROJECT_TASKS, {}, OLDEST_FIRST, { limit: MAX_TASKS });
    const tasks = stored.map(
      (task) => [task._id, started.get(task._id) ?? this.stepsOf(task)] as const,
    );
    for (const [, steps] of tasks) {
      if (this.isStopping) break;
      await steps.next();
      await this.rest();
    }
    this.tasks = new Map(tasks);
    return tasks.length > 0;
  }

  /** The steps of a task: one is executed whenever the next is requested. */
  private async *stepsOf(task: ProjectTask): AsyncGenerator<void> {
    switch (task.work) {
      case 'remove':
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

  private async *removing({ project, by }: ProjectTask): AsyncGenerator<void> {
    for (;;) {
      const found = await this.store.list(LICENSES, { project }, OLDEST_FIRST, {
        limit: STEP_SIZE,
      });
      if (found.length === 0) return;
      const seats = await this.seats.emptying(found);
      if (seats.length > 0) await this.store.commit(seats);
      else await this.decisions.commit(this.events.removeAll(found, this.clock.now(), { by }));
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
      for (const { _id } of older) {
        if (!(await this.revokeOne(_id, task))) return;
      }
      if (older.length < found.length) return;
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
  private async revokeOne(_id: string, { project, by, reason }: ProjectTask): Promise<boolean> {
    for (;;) {
      const before = await this.store.find(LICENSES, { _id });
      if (!before || before.status === 'REVOKED') return true;
      const now = this.clock.now();
      const license = revoked(before, reason, now);
      const committed = await this.decisions.commit([
        touch(PROJECTS, project),
        replace(LICENSES, before, license),
        this.events.record('revoked', license, now, { data: { reason }, by }),
      ]);
      if (committed.ok) return true;
      if (committed.failed.collection === PROJECTS) return false;
    }
  }
}
