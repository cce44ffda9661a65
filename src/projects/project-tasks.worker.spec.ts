import { aClient } from '../../test/builders/client.builder.js';
import { anEvent } from '../../test/builders/event.builder.js';
import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { beforeNextCommit } from '../../test/before-next-commit.js';
import type { ModelStore } from '../../test/contract/model-store.js';
import { LicenseServices } from '../../test/license-services.js';
import { EVENTS } from '../events/event.js';
import { LICENSES } from '../licenses/license.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { insert, replace } from '../storage/changes.js';
import { newProjectTask, PROJECT_TASKS, type ProjectTask } from './project-task.js';
import { ProjectTasksWorker, STEP_SIZE } from './project-tasks.worker.js';
import { type Project, PROJECTS } from './project.js';

const ADA = { type: 'user', id: 'a'.repeat(24), name: 'Ada' } as const;

const newProject = (product: string | null = null) => aProject(aClient(), { product });

describe('ProjectTasksWorker', () => {
  let services: LicenseServices;
  let store: ModelStore;
  let worker: ProjectTasksWorker;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    services = new LicenseServices();
    store = services.store;
    worker = new ProjectTasksWorker(store, services.events, services.decisions, services.clock);
  });
  afterEach(async () => {
    await inTime(worker.beforeApplicationShutdown());
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const addTask = (project: Project, work: ProjectTask['work'], minutes = 0) =>
    store.commit([insert(PROJECT_TASKS, newProjectTask(project, work, at(minutes)))]);
  /** Stores licenses of a project, each with an event. */
  const fill = async (project: Project, count: number, product: string | null = null) => {
    const licenses = Array.from({ length: count }, (_, index) => {
      const _id = newObjectId();
      const key = services.keys.store(services.keys.generate(project._id), _id);
      return aLicense(project, { _id, ...key, product, createdAt: at(Math.floor(index / 7)) });
    });
    await store.commit(
      licenses.flatMap((license) => [
        insert(LICENSES, license),
        insert(EVENTS, anEvent(license, 'license.created')),
      ]),
    );
  };
  const licensesOf = ({ _id }: Project) =>
    store.all(LICENSES).filter(({ project }) => project === _id);
  const typesOf = () => store.all(EVENTS).map(({ type }) => type);
  const inTime = <T>(work: Promise<T>) => Promise.all([work, jest.advanceTimersByTimeAsync(1_000)]);

  it('gives licenses without a product that of their project, in steps', async () => {
    const [project, other] = [newProject('shop'), newProject()];
    await fill(project, 2, 'shop');
    await fill(project, STEP_SIZE + 1);
    await fill(other, 1);
    const [kept] = licensesOf(project);
    await addTask(project, 'set_product');
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1);
    expect(licensesOf(project).filter(({ product }) => product === null)).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(new Set(licensesOf(project).map(({ product }) => product))).toEqual(new Set(['shop']));
    expect(licensesOf(project)[0]).toEqual(kept);
    expect(licensesOf(other)).toMatchObject([{ product: null }]);
    expect(store.all(PROJECT_TASKS)).toEqual([]);
  });

  it('takes the tasks in turns, so that a small one does not wait for a large one', async () => {
    const [large, small] = [newProject(), newProject()];
    await fill(large, STEP_SIZE + 1);
    await fill(small, 3);
    await addTask(large, 'remove', 0);
    await addTask(small, 'remove', 1);
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(6);
    expect(licensesOf(small)).toEqual([]);
    expect(licensesOf(large)).toHaveLength(1);
  });

  it('revokes the licenses that were created before the task, as they are then, each with its event', async () => {
    const project = newProject();
    await store.commit([insert(PROJECTS, project)]);
    await fill(project, STEP_SIZE + 1);
    await store.commit([
      insert(PROJECT_TASKS, { ...newProjectTask(project, 'revoke', at(13), 'Sold'), by: ADA }),
    ]);
    const renewed = licensesOf(project)[0]!;
    beforeNextCommit(store, async () => {
      const before = (await store.find(LICENSES, { _id: renewed._id }))!;
      await store.commit([replace(LICENSES, before, { ...before, maxMachines: 9 })]);
    });
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1_000);
    const [late, old] = [true, false].map((isLate) =>
      licensesOf(project).filter(({ createdAt }) => createdAt > at(13) === isLate),
    );
    expect(
      old!.every(({ status, revokedReason }) => status === 'REVOKED' && revokedReason === 'Sold'),
    ).toBe(true);
    expect(late!.map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(await store.find(LICENSES, { _id: renewed._id })).toMatchObject({ maxMachines: 9 });
    const events = store.all(EVENTS).filter(({ type }) => type === 'license.revoked');
    expect(events).toHaveLength(old!.length);
    expect(events[0]).toMatchObject({
      actorType: 'user',
      actorName: 'Ada',
      data: { reason: 'Sold' },
    });
    expect(store.all(PROJECT_TASKS)).toEqual([]);
  });

  it('revokes nothing any more where the project was deleted', async () => {
    const project = newProject();
    await fill(project, 3);
    await addTask(project, 'revoke');
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(typesOf()).toEqual(Array(3).fill('license.created'));
    expect(store.all(PROJECT_TASKS)).toEqual([]);
  });

  it('executes tasks that another instance executes at the same time', async () => {
    const [deleted, labeled] = [newProject(), newProject('shop')];
    await fill(deleted, STEP_SIZE + 1);
    await fill(labeled, STEP_SIZE + 1);
    await addTask(deleted, 'remove');
    await addTask(labeled, 'set_product');
    const other = new ProjectTasksWorker(
      store,
      services.events,
      services.decisions,
      services.clock,
    );
    worker.onApplicationBootstrap();
    other.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([...store.all(PROJECT_TASKS), ...licensesOf(deleted)]).toEqual([]);
    expect(licensesOf(labeled).every(({ product }) => product === 'shop')).toBe(true);
    await inTime(other.beforeApplicationShutdown());
  });
});
