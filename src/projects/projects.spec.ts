import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { aClient, aProject, at } from '../../test/builders.js';
import { mostAtOnce } from '../../test/most-at-once.js';
import { useServices } from '../../test/services.js';
import { CLIENTS } from '../clients/client.js';
import { EVENTS } from '../events/event.js';
import { CONCURRENCY } from '../jobs/job.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { type License, LICENSES } from '../licenses/license.js';
import { LicensesService } from '../licenses/licenses.service.js';
import type { AccountId } from '../shared/ids.js';
import { newTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { increment, insert, type Remove } from '../storage/changes.js';
import {
  FOLLOWED,
  MAX_TASKS,
  newProjectTask,
  PROJECT_TASKS,
  type ProjectTask,
  TURN_SIZE,
} from './project-task.js';
import { ProjectTasks } from './project-tasks.job.js';
import { type Project, PROJECTS } from './project.js';
import { ProjectsService } from './projects.service.js';

const ADA = { type: 'user', id: 'a'.repeat(24), name: 'Ada' } as const;

const isOf = ({ _id }: Project, { before }: Remove) => (before as License).project === _id;

const newProject = (product: string | null = null) => aProject(aClient(), { product });

const services = useServices();
const { store, the, put, stored, add, change, addAccount, addLicense, beforeNextCommit } = services;

describe('ProjectTasks', () => {
  const other = useServices(services);

  const addTask = async (
    project: Project,
    work: ProjectTask['work'],
    fields: Partial<ProjectTask> = {},
  ) => {
    const { owner: _id } = project;
    if (!(await store.find(TOTALS, { _id }))) await put(insert(TOTALS, newTotals(_id)));
    await put(insert(PROJECT_TASKS, { ...newProjectTask(project, work, at(0)), ...fields }));
  };
  /** Stores licenses of a project, seven per minute. */
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

  it("sets the project's product on licenses without one, and removes the licenses of a deleted project, in steps, even on two instances", async () => {
    const [project, deleted, unlabelled] = [newProject('shop'), newProject(), newProject()];
    await fill(project, 2, 'shop');
    for (const one of [project, deleted]) await fill(one, 2 * TURN_SIZE + 1);
    await fill(unlabelled, 1);
    const [kept] = licensesOf(project);
    await addTask(project, 'set_product');
    await addTask(deleted, 'follow');
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
    'takes turns, so a small task does not wait for the large task of %s',
    async (whose, tasks) => {
      const client = aClient();
      const large = aProject(client);
      const small = aProject(whose === 'an account' ? client : aClient());
      await fill(large, FOLLOWED + 1);
      await fill(small, 3);
      await addTask(large, 'follow');
      for (let count = 1; count < tasks; count++) await addTask(aProject(client), 'follow');
      await addTask(small, 'follow');
      await step();
      expect(licensesOf(small)).toEqual([]);
      expect(licensesOf(large)).not.toEqual([]);
      await work();
    },
  );

  it('changes no more licenses per turn if an account has many tasks', async () => {
    const client = aClient();
    for (const project of [aProject(client), aProject(client)]) {
      await fill(project, FOLLOWED);
      await addTask(project, 'follow');
    }
    await step();
    expect(store.all(LICENSES)).toHaveLength(FOLLOWED);
    await work();
  });

  it.each(['before', 'after'])(
    'continues immediately with an account whose turn comes %s a failing one',
    async (when) => {
      const inTurn = [newProject(), newProject()].toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
      const [good, bad] = (when === 'before' ? inTurn : inTurn.toReversed()) as [Project, Project];
      await fill(good, FOLLOWED + 1);
      await fill(bad, 1);
      for (const project of [good, bad]) await addTask(project, 'follow');
      const commit = store.commit.bind(store);
      jest.spyOn(store, 'commit').mockImplementation(async (changes) => {
        if (changes.some((one) => one.kind === 'remove' && isOf(bad, one))) throw new Error('slow');
        return commit(changes);
      });
      const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
      expect([await step(), await step()]).toEqual([true, true]);
      expect(licensesOf(good)).toEqual([]);
      expect(logged).toHaveBeenCalledTimes(2);
    },
  );

  it('ignores an account that is being deleted', async () => {
    const project = newProject();
    await fill(project, 1);
    await put(insert(PROJECT_TASKS, newProjectTask(project, 'follow', at(0))));
    expect(await step()).toBe(false);
    expect(licensesOf(project)).toHaveLength(1);
  });

  it('revokes the licenses created before the task, in their current state, each with its event', async () => {
    const project = await add(PROJECTS, newProject());
    await fill(project, TURN_SIZE + 1);
    await addTask(project, 'revoke', { createdAt: at(13), reason: 'Sold', by: ADA });
    const [renewed] = licensesOf(project) as [License];
    const most = mostAtOnce(store);
    beforeNextCommit(() => change(LICENSES, renewed, { maxMachines: 9 }));
    await work();
    expect(most()).toBe(CONCURRENCY);
    const licenses = licensesOf(project);
    const old = licenses.filter(({ createdAt }) => createdAt <= at(13));
    const revoked = { status: 'REVOKED', revokedReason: 'Sold' };
    expect(old).toMatchObject(Array(TURN_SIZE - 2).fill(revoked));
    expect(licenses.filter(({ status }) => status === 'PENDING')).toHaveLength(3);
    expect((await stored(LICENSES, renewed)).maxMachines).toBe(9);
    const event = { type: 'license.revoked', actorName: 'Ada', data: { reason: 'Sold' } };
    const events = store.all(EVENTS).toSorted((a, b) => a.subject.localeCompare(b.subject));
    expect(events).toMatchObject(old.map(({ _id }) => ({ ...event, subject: _id })));
  });

  it('also revokes the licenses of a project that was deleted in the meantime', async () => {
    const project = newProject();
    await fill(project, 3);
    await addTask(project, 'revoke');
    await work();
    expect(licensesOf(project)).toMatchObject(Array(3).fill({ status: 'REVOKED' }));
    expect(store.all(EVENTS)).toHaveLength(3);
  });
});

describe('ProjectsService', () => {
  const work = async () => {
    while (await the(ProjectTasks).step());
  };
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

  it('S11: a new or reissued license gets another key if the first one is taken', async () => {
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

  it('a replacement gets the product that was set on its project in the meantime', async () => {
    const { project, license } = await create();
    beforeNextCommit(() => change(PROJECTS, project, { product: 'wiki' }));
    const { license: replacement } = (await reissue(license.license)).license;
    expect(replacement).toMatchObject({ product: 'wiki' });
  });

  it('returns the license that a concurrent request creates', async () => {
    const { _id } = (await create()).project;
    const terms = { duration: 6, services: ['Hosting' as const], externalId: 'order-1' };
    const issue = () =>
      the(ProjectsService).addLicenses(_id, account, { ...terms, ifExists: 'return' }, undefined);
    const find = store.find.bind(store);
    const finding = jest.spyOn(store, 'find');
    let first: ReturnType<typeof issue> | undefined;
    finding.mockImplementation(async (collection, filter) => {
      const found = await find(collection, filter);
      if (!first && 'externalId' in filter) await (first = issue());
      return found;
    });
    const { licenses, isFound } = await issue();
    const { _id: existing } = (await first)!.licenses[0]!.license;
    expect({ isFound, licenses }).toMatchObject({
      ...{ isFound: true, licenses: [{ license: { _id: existing } }] },
    });
  });

  it("creates an account's batches one after the other, so other requests run in between", async () => {
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

  it('extends a pending revocation to licenses added in the meantime, without starting over', async () => {
    const { project } = await create();
    for (let count = 1; count < TURN_SIZE; count++) await addLicense(project);
    const revoke = (reason: string) =>
      the(ProjectsService).revokeLicenses(project._id, account, reason);
    await revoke('Sold');
    await the(ProjectTasks).step();
    services.clock.advance({ seconds: 1 });
    const { _id } = await addLicense(project, { createdAt: services.clock.now() });
    const [{ _id: task }] = store.all(PROJECT_TASKS) as [ProjectTask];
    await revoke('Stolen');
    expect(store.all(PROJECT_TASKS)).toMatchObject([{ _id: task, reason: 'Stolen' }]);
    const lists = jest.spyOn(store, 'list');
    await work();
    expect(await store.find(LICENSES, { _id })).toMatchObject({ revokedReason: 'Stolen' });
    expect(store.all(PROJECT_TASKS)).toEqual([]);
    const reads = lists.mock.calls.filter(([{ name }]) => name === 'licenses');
    expect(reads).toMatchObject([[{}, {}, {}, { after: { value: expect.any(Date) as Date } }]]);
  });

  it('rejects further bulk changes while an account has too many, except extensions', async () => {
    const { project } = await create();
    const { project: other } = await create();
    const revoke = ({ _id }: Project) => the(ProjectsService).revokeLicenses(_id, account, null);
    const remove = ({ _id }: Project) => the(ProjectsService).delete(_id, account, true);
    await revoke(project);
    const tasks = Array.from({ length: MAX_TASKS - 1 }, () =>
      newProjectTask(aProject(aClient({ owner: account })), 'follow', at(0)),
    );
    await put(...tasks.map((task) => insert(PROJECT_TASKS, task)));
    await revoke(project);
    const rejected = { code: 'TOO_MANY_BULK_CHANGES', retryAfter: 10 };
    await expect(revoke(other)).rejects.toMatchObject(rejected);
    await expect(remove(other)).rejects.toMatchObject(rejected);
    const all = the(ProjectsService).deleteAllOf(client, account);
    await expect(all).rejects.toMatchObject(rejected);
  });

  it('leaves the product of licenses to a task if there are over 100', async () => {
    const { project } = await create();
    await put(increment(PROJECTS, project._id, { licensesCount: TURN_SIZE }));
    for (const changes of [{ product: 'shop' }, { product: 'shop', name: 'Wiki' }]) {
      await the(ProjectsService).update(project._id, account, changes);
    }
    expect(store.all(PROJECT_TASKS)).toMatchObject([
      { project: project._id, accountId: account, work: 'set_product', product: 'shop' },
    ]);
    expect(store.all(LICENSES)).toMatchObject([{ product: null }]);
  });
});
