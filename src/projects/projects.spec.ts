import { setImmediate } from 'node:timers/promises';
import { aClient, aProject, at } from '../../test/builders.js';
import { useServices } from '../../test/services.js';
import { CLIENTS } from '../clients/client.js';
import { EVENTS } from '../events/event.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { type License, LICENSES } from '../licenses/license.js';
import { LicensesService } from '../licenses/licenses.service.js';
import type { AccountId } from '../shared/ids.js';
import { increment, insert, MAX_BATCH_SIZE } from '../storage/changes.js';
import { newProjectTask, PROJECT_TASKS, type ProjectTask } from './project-task.js';
import { ProjectTasks, STEP_SIZE } from './project-tasks.job.js';
import { type Project, PROJECTS } from './project.js';
import { ProjectsService } from './projects.service.js';

const ADA = { type: 'user', id: 'a'.repeat(24), name: 'Ada' } as const;

const newProject = (product: string | null = null) => aProject(aClient(), { product });

const services = useServices();
const { store, the, put, stored, add, change, addAccount, addLicense, beforeNextCommit } = services;

describe('ProjectTasks', () => {
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
  const step = () => the(ProjectTasks).step();
  /** Executes all tasks. */
  const work = async (by = the(ProjectTasks)) => {
    while (await by.step());
    expect(store.all(PROJECT_TASKS)).toEqual([]);
  };

  it('gives licenses without a product that of their project, and removes those of another, in steps, also where two instances do', async () => {
    const [project, deleted, unlabelled] = [newProject('shop'), newProject(), newProject()];
    await fill(project, 2, 'shop');
    for (const one of [project, deleted]) await fill(one, 2 * STEP_SIZE + 1);
    await fill(unlabelled, 1);
    const [kept] = licensesOf(project);
    await addTask(project, 'set_product');
    await addTask(deleted, 'remove');
    await step();
    expect(licensesOf(project).filter(({ product }) => product === null)).toHaveLength(101);
    await Promise.all([work(), work(other.the(ProjectTasks))]);
    expect(licensesOf(deleted)).toEqual([]);
    expect(new Set(licensesOf(project).map(({ product }) => product))).toEqual(new Set(['shop']));
    expect(licensesOf(project)[0]).toEqual(kept);
    expect(licensesOf(unlabelled)).toMatchObject([{ product: null }]);
  });

  it.each([
    ['an account', 1],
    ['another account', 100],
  ])(
    'takes turns, so that a small task does not wait for the large of %s',
    async (whose, tasks) => {
      const client = aClient();
      const large = aProject(client);
      const small = aProject(whose === 'an account' ? client : aClient());
      await fill(large, STEP_SIZE + 1);
      await fill(small, 3);
      await addTask(large, 'remove', 0);
      for (let count = 1; count < tasks; count++) await addTask(aProject(client), 'remove', 0);
      await addTask(small, 'remove', 1);
      await step();
      expect(licensesOf(small)).toEqual([]);
      expect(licensesOf(large)).toHaveLength(1);
      await work();
    },
  );

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
    const events = store.all(EVENTS).toSorted((a, b) => a.subject.localeCompare(b.subject));
    expect(events).toMatchObject(old.map(({ _id }) => ({ ...event, subject: _id })));
  });

  it('revokes nothing any more where the project was deleted', async () => {
    const project = newProject();
    await fill(project, 3);
    await addTask(project, 'revoke');
    await work();
    expect(licensesOf(project)).toMatchObject(Array(3).fill({ status: 'PENDING' }));
    expect(store.all(EVENTS)).toEqual([]);
  });
});

describe('ProjectsService', () => {
  let account: AccountId;
  let client: string;
  beforeEach(async () => {
    ({ account } = await addAccount());
    ({ _id: client } = await add(CLIENTS, aClient({ owner: account })));
  });

  const create = () => {
    const terms = { duration: 6, services: ['Hosting' as const] };
    const fields = { client, name: 'Shop', product: null };
    return the(ProjectsService).createWithFirstLicense(account, fields, terms);
  };
  const reissue = ({ _id }: { _id: string }) =>
    the(LicensesService).reissue(_id, account, undefined);

  it('S11: a license that is created or reissued gets another key where a license has the first one', async () => {
    const keys = the(LicenseKeyService);
    const taken = keys.generate('a'.repeat(24));
    const generate = jest.spyOn(keys, 'generate').mockReturnValueOnce(taken);
    await create();
    generate.mockReturnValueOnce(taken);
    const { license } = (await create()).license;
    generate.mockReturnValueOnce(taken);
    const { license: replacement } = (await reissue(license)).license;
    for (const issued of [license, replacement]) expect(keys.reveal(issued)).not.toBe(taken);
  });

  it('a replacement gets the product that the project is given meanwhile', async () => {
    const { project, license } = await create();
    beforeNextCommit(() => change(PROJECTS, project, { product: 'wiki' }));
    const { license: replacement } = (await reissue(license.license)).license;
    expect(replacement).toMatchObject({ product: 'wiki' });
  });

  it('creates the batches of an account one after the other, so that other requests run between them', async () => {
    const projects = [(await create()).project, (await create()).project];
    const order: ('begin' | 'end')[] = [];
    const commit = store.commit.bind(store);
    jest.spyOn(store, 'commit').mockImplementation(async (changes) => {
      order.push('begin');
      await setImmediate();
      order.push('end');
      return commit(changes);
    });
    const terms = { duration: 6, services: ['Hosting' as const] };
    const batches = projects.map(({ _id }) =>
      the(ProjectsService).addLicenses(_id, account, terms, 2),
    );
    await Promise.all(batches);
    expect(order).toEqual(['begin', 'end', 'begin', 'end']);
  });

  it('leaves the product of further licenses to a task where they are many', async () => {
    const { project } = await create();
    await put(increment(PROJECTS, project._id, { licensesCount: MAX_BATCH_SIZE }));
    for (const changes of [{ product: 'shop' }, { product: 'shop', name: 'Wiki' }]) {
      await the(ProjectsService).update(project._id, account, changes);
    }
    expect(store.all(PROJECT_TASKS)).toMatchObject([
      { project: project._id, accountId: account, work: 'set_product', product: 'shop' },
    ]);
  });
});
