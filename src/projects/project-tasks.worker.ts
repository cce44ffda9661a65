import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LICENSES } from '../licenses/license.js';
import { EVENTS, licenseEvent } from '../licenses/license-event.js';
import { revoked } from '../licenses/license-transitions.js';
import { Clock } from '../shared/time/clock.js';
import { insert, remove, removeAll, replace, setAll, touch } from '../storage/changes.js';
import { type ListPosition, Store } from '../storage/store.js';
import { PROJECTS } from './project.js';
import { PROJECT_TASKS, type ProjectTask } from './project-task.js';

const MAX_TASKS = 100;
/** Maximum of licenses, and of events, that a step changes. */
export const STEP_SIZE = 100;
/** Pause after a step, in milliseconds, in which other requests use the store. */
const STEP_PAUSE = 5;
/** Sampling interval for tasks that another instance has left unfinished, in milliseconds. */
const INTERVAL = 30_000;

const OLDEST_FIRST = { by: 'createdAt', direction: 'asc' } as const;

/** The further steps of tasks in progress, by the id of the task. */
type Tasks = ReadonlyMap<string, AsyncGenerator<void>>;

/**
 * Executes project tasks in small steps while the service runs, several in turns. Instances on one store may execute the same task
 * at the same time.
 */
@Injectable()
export class ProjectTasksWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ProjectTasksWorker.name);
  private isStopping = false;
  private alarm = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = this.run();
  }

  /** Before the store is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.loop;
  }

  /** Starts the next step now: a task has been stored. */
  wake(): void {
    this.alarm.abort();
  }

  private async run(): Promise<void> {
    let tasks: Tasks = new Map();
    while (!this.isStopping) {
      this.alarm = new AbortController();
      tasks = await this.stepEach(tasks).catch((error: Error) => this.logFailure(error));
      if (tasks.size === 0) await sleep(INTERVAL, this.alarm.signal);
    }
  }

  /** Executes a step of each stored task, and returns those tasks. */
  private async stepEach(started: Tasks): Promise<Tasks> {
    const stored = await this.store.list(PROJECT_TASKS, {}, OLDEST_FIRST, { limit: MAX_TASKS });
    const tasks = new Map(
      stored.map((task) => [
        task._id,
        started.get(task._id) ?? stepsOf(task, this.store, this.clock),
      ]),
    );
    for (const steps of tasks.values()) {
      if (this.isStopping) break;
      await steps.next();
      await sleep(STEP_PAUSE);
    }
    return tasks;
  }

  /** After a failure of the store, the tasks begin again at the next sample. */
  private logFailure({ stack }: Error): Tasks {
    this.logger.error('Licenses of a project were neither removed nor changed', stack);
    return new Map();
  }
}

/** The steps of a task: one is executed whenever the next is requested. */
async function* stepsOf(task: ProjectTask, store: Store, clock: Clock): AsyncGenerator<void> {
  switch (task.work) {
    case 'remove':
      yield* removing(task, store);
      break;
    case 'set_product':
      yield* settingProduct(task, store);
      break;
    case 'revoke':
      yield* revoking(task, store, clock);
  }
  await store.commit([remove(PROJECT_TASKS, task)]);
}

async function* removing({ project }: ProjectTask, store: Store): AsyncGenerator<void> {
  for (;;) {
    const removed = await store.commit([
      removeAll(LICENSES, { project }, STEP_SIZE),
      removeAll(EVENTS, { project }, STEP_SIZE),
    ]);
    if (removed.ok && removed.affected < STEP_SIZE) return;
    yield;
  }
}

async function* settingProduct(task: ProjectTask, store: Store): AsyncGenerator<void> {
  const { project, product } = task;
  let after: ListPosition | undefined;
  for (;;) {
    const without = { project, product: null };
    const found = await store.list(LICENSES, without, OLDEST_FIRST, { limit: STEP_SIZE, after });
    const last = found.at(-1);
    if (!last) return;
    const oneOf = found.map(({ _id }) => _id);
    await store.commit([setAll(LICENSES, { _id: { oneOf }, product: null }, { product })]);
    after = { value: last.createdAt, _id: last._id };
    yield;
  }
}

async function* revoking(task: ProjectTask, store: Store, clock: Clock): AsyncGenerator<void> {
  const { project, createdAt } = task;
  let after: ListPosition | undefined;
  for (;;) {
    const found = await store.list(LICENSES, { project }, OLDEST_FIRST, {
      limit: STEP_SIZE,
      after,
    });
    for (const { _id } of found.filter((license) => license.createdAt <= createdAt)) {
      if (!(await revokeOne(_id, task, store, clock))) return;
    }
    const last = found.at(-1);
    if (!last || last.createdAt > createdAt) return;
    after = { value: last.createdAt, _id: last._id };
    yield;
  }
}

/** Revokes a license as it is now, however often it changes meanwhile; false where its project was deleted. */
async function revokeOne(
  _id: string,
  { project, accountId: actor, reason }: ProjectTask,
  store: Store,
  clock: Clock,
): Promise<boolean> {
  for (;;) {
    const before = await store.find(LICENSES, { _id });
    if (!before || before.status === 'REVOKED') return true;
    const now = clock.now();
    const license = revoked(before, reason, now);
    const committed = await store.commit([
      touch(PROJECTS, project),
      replace(LICENSES, before, license),
      insert(EVENTS, licenseEvent(license, 'revoked', now, { actor, reason })),
    ]);
    if (committed.ok) return true;
    if (committed.failed.collection === PROJECTS) return false;
  }
}

/** Sleeps for these milliseconds, or until the alarm. */
const sleep = (milliseconds: number, alarm?: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (alarm?.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    alarm?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
