import { aClient } from '../../test/builders/client.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { useServices } from '../../test/services.js';
import { EVENTS } from '../events/event.js';
import { type License, LICENSES } from '../licenses/license.js';
import { insert } from '../storage/changes.js';
import { newProjectTask, PROJECT_TASKS, type ProjectTask } from './project-task.js';
import { ProjectTasksWorker, STEP_SIZE } from './project-tasks.worker.js';
import { type Project, PROJECTS } from './project.js';

const ADA = { type: 'user', id: 'a'.repeat(24), name: 'Ada' } as const;

const newProject = (product: string | null = null) => aProject(aClient(), { product });

describe('ProjectTasksWorker', () => {
  const services = useServices();
  const { store, the, put, stored, add, change, addLicense, beforeNextCommit } = services;
  const other = useServices(services);

  const addTask = (project: Project, work: ProjectTask['work'], minutes = 0) =>
    put(insert(PROJECT_TASKS, newProjectTask(project, work, at(minutes))));
  /** Stores licenses of a project, seven a minute. */
  const fill = async (project: Project, count: number, product: string | null = null) => {
    for (let index = 0; index < count; index++) {
      await addLicense(project, { product, createdAt: at(Math.floor(index / 7)) });
    }
  };
  const licensesOf = ({ _id }: Project) =>
    store.all(LICENSES).filter(({ project }) => project === _id);
  const step = () => the(ProjectTasksWorker).step();
  /** Executes all tasks. */
  const work = async (by = the(ProjectTasksWorker)) => {
    while (await by.step());
    expect(store.all(PROJECT_TASKS)).toEqual([]);
  };

  it('gives licenses without a product that of their project, in steps', async () => {
    const [project, unlabelled] = [newProject('shop'), newProject()];
    await fill(project, 2, 'shop');
    await fill(project, STEP_SIZE + 1);
    await fill(unlabelled, 1);
    const [kept] = licensesOf(project);
    await addTask(project, 'set_product');
    await step();
    expect(licensesOf(project).filter(({ product }) => product === null)).toHaveLength(1);
    await work();
    expect(new Set(licensesOf(project).map(({ product }) => product))).toEqual(new Set(['shop']));
    expect(licensesOf(project)[0]).toEqual(kept);
    expect(licensesOf(unlabelled)).toMatchObject([{ product: null }]);
  });

  it('takes the tasks in turns, so that a small one does not wait for a large one', async () => {
    const [large, small] = [newProject(), newProject()];
    await fill(large, STEP_SIZE + 1);
    await fill(small, 3);
    await addTask(large, 'remove', 0);
    await addTask(small, 'remove', 1);
    await step();
    expect(licensesOf(small)).toEqual([]);
    expect(licensesOf(large)).toHaveLength(1);
    await work();
  });

  it('revokes the licenses that were created before the task, as they are then, each with its event', async () => {
    const project = await add(PROJECTS, newProject());
    await fill(project, STEP_SIZE + 1);
    const task = { ...newProjectTask(project, 'revoke', at(13), 'Sold'), by: ADA };
    await put(insert(PROJECT_TASKS, task));
    const [renewed] = licensesOf(project) as [License];
    beforeNextCommit(() => change(LICENSES, renewed, { maxMachines: 9 }));
    await work();
    const licenses = licensesOf(project);
    const old = licenses.filter(({ createdAt }) => createdAt <= at(13));
    const revoked = { status: 'REVOKED', revokedReason: 'Sold' };
    expect(old).toMatchObject(Array(STEP_SIZE - 2).fill(revoked));
    expect(licenses.filter(({ status }) => status === 'PENDING')).toHaveLength(3);
    expect((await stored(LICENSES, renewed)).maxMachines).toBe(9);
    const event = { type: 'license.revoked', actorName: 'Ada', data: { reason: 'Sold' } };
    expect(store.all(EVENTS)).toMatchObject(old.map(({ _id }) => ({ ...event, subject: _id })));
  });

  it('revokes nothing any more where the project was deleted', async () => {
    const project = newProject();
    await fill(project, 3);
    await addTask(project, 'revoke');
    await work();
    expect(licensesOf(project)).toMatchObject(Array(3).fill({ status: 'PENDING' }));
    expect(store.all(EVENTS)).toEqual([]);
  });

  it('executes tasks that another instance executes at the same time', async () => {
    const [deleted, labelled] = [newProject(), newProject('shop')];
    await fill(deleted, STEP_SIZE + 1);
    await fill(labelled, STEP_SIZE + 1);
    await addTask(deleted, 'remove');
    await addTask(labelled, 'set_product');
    await Promise.all([work(), work(other.the(ProjectTasksWorker))]);
    expect(licensesOf(deleted)).toEqual([]);
    expect(licensesOf(labelled).every(({ product }) => product === 'shop')).toBe(true);
  });
});
