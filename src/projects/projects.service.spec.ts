import { activeUntil, aLicense } from '../../test/builders/license.builder.js';
import { at } from '../../test/builders/time.js';
import { ProjectServices, TERMS } from '../../test/project-services.js';
import { CLIENTS } from '../clients/client.js';
import { EVENTS } from '../events/event.js';
import { LICENSES } from '../licenses/license.js';
import { increment, insert, MAX_BATCH_SIZE, remove, touch } from '../storage/changes.js';
import { PROJECT_TASKS } from './project-task.js';
import { type Project, PROJECTS } from './project.js';
import { STEP_SIZE } from './project-tasks.worker.js';

let world: ProjectServices;
beforeEach(async () => void (world = await ProjectServices.create()));

describe('creating a project', () => {
  it('stores nothing below a client that is deleted meanwhile', async () => {
    const { store, client } = world;
    world.beforeNextCommit(async () =>
      world.put(remove(CLIENTS, (await store.find(CLIENTS, { _id: client._id }))!)),
    );
    await expect(world.create()).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
    expect([...store.all(PROJECTS), ...store.all(LICENSES), ...store.all(EVENTS)]).toEqual([]);
    expect(await world.counts()).toEqual([undefined, 0, 0]);
  });

  it.each([
    [{ projects: 1 }, 'PROJECT_QUOTA_REACHED'],
    [{ licenses: 1 }, 'LICENSE_QUOTA_REACHED'],
    [{ projects: 1, licenses: 1 }, 'PROJECT_QUOTA_REACHED'],
  ])('is rejected at the quota of %j, also where another was faster', async (quotas, code) => {
    world = await ProjectServices.create(quotas);
    world.beforeNextCommit(() => world.create());
    await expect(world.create()).rejects.toMatchObject({ code });
    await expect(world.create()).rejects.toMatchObject({ code });
    expect(await world.counts()).toEqual([1, 1, 1]);
  });

  it('chooses another key where a license has it', async () => {
    const taken = world.keys.generate('a'.repeat(24));
    const generate = jest.spyOn(world.keys, 'generate').mockReturnValueOnce(taken);
    await world.create();
    generate.mockReturnValueOnce(taken);
    await world.create();
    expect(world.store.all(LICENSES)).toHaveLength(2);
  });
});

describe('adding a license', () => {
  const add = async ({ _id }: Project, count = 1) =>
    (await world.projects.addLicenses(_id, world.account, TERMS, count))[0]!;

  it('takes a product that the project is given meanwhile', async () => {
    const { project } = await world.create({ product: null });
    const changes = { product: 'shop' };
    world.beforeNextCommit(() => world.projects.update(project._id, world.account, changes));
    expect(await add(project)).toMatchObject(changes);
  });

  it('is rejected where the project is deleted meanwhile', async () => {
    const { project } = await world.create();
    world.beforeNextCommit(() => world.projects.delete(project._id, world.account));
    await expect(add(project)).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
    expect(world.store.all(LICENSES)).toEqual([]);
    expect(await world.counts()).toEqual([0, 0, 0]);
  });

  it('is rejected at the quota', async () => {
    world = await ProjectServices.create({ licenses: 2 });
    const { project } = await world.create();
    await add(project);
    await expect(add(project)).rejects.toMatchObject({ code: 'LICENSE_QUOTA_REACHED' });
    expect(await world.counts()).toEqual([1, 1, 2]);
  });
});

describe('changing a project', () => {
  const update = ({ _id }: Project, changes: { name?: string; product?: string }) =>
    world.projects.update(_id, world.account, changes);

  it('leaves the product of further licenses to a task where they are many', async () => {
    const { project } = await world.create({ product: null });
    await world.put(increment(PROJECTS, project._id, { licensesCount: MAX_BATCH_SIZE }));
    await update(project, { product: 'shop' });
    expect(world.store.all(PROJECT_TASKS)).toMatchObject([
      { project: project._id, accountId: world.account, work: 'set_product', product: 'shop' },
    ]);
    await update(project, { name: 'Wiki', product: 'shop' });
    expect(world.store.all(PROJECT_TASKS)).toHaveLength(1);
  });

  it('sets a product once, also where another request was faster', async () => {
    const { project } = await world.create({ product: null });
    world.beforeNextCommit(() => world.setProduct(project, 'shop'));
    const updated = update(project, { product: 'wiki' });
    await expect(updated).rejects.toMatchObject({ code: 'PROJECT_HAS_PRODUCT' });
    expect(await world.stored(project)).toMatchObject({ product: 'shop' });
  });

  it('keeps the count of a license that is added meanwhile', async () => {
    const { project } = await world.create();
    world.beforeNextCommit(() => world.add(project));
    await update(project, { name: 'Wiki' });
    expect(await world.stored(project)).toMatchObject({ name: 'Wiki', licensesCount: 2 });
  });
});

describe('deleting a project', () => {
  const deletion = ({ _id }: Project) => world.projects.delete(_id, world.account);

  it('removes it with its licenses, counts them no more, and leaves those beyond a step to a task', async () => {
    const small = await world.create();
    await deletion(small.project);
    expect([...world.store.all(LICENSES), ...world.store.all(PROJECT_TASKS)]).toEqual([]);
    const { project } = await world.create();
    for (let more = 0; more < STEP_SIZE; more++) await world.add(project);
    const kept = await world.create();
    await deletion(project);
    expect(world.store.all(PROJECTS).map(({ _id }) => _id)).toEqual([kept.project._id]);
    const left = world.store.all(LICENSES).filter(({ _id }) => _id !== kept.license._id);
    expect(left.map((license) => license.project)).toEqual([project._id]);
    const types = world.store.all(EVENTS).map(({ type }) => type);
    expect(types.filter((type) => type === 'license.deleted')).toHaveLength(STEP_SIZE + 1);
    expect(types.filter((type) => type === 'project.deleted')).toHaveLength(2);
    expect(world.store.all(PROJECT_TASKS)).toMatchObject([
      { project: project._id, accountId: world.account, work: 'remove', createdAt: at(5) },
    ]);
    expect(await world.counts()).toEqual([1, 1, 1]);
  });

  it('is rejected where a license becomes ACTIVE meanwhile', async () => {
    const { project } = await world.create();
    const active = aLicense(project, activeUntil(at(9)));
    world.beforeNextCommit(() => world.put(touch(PROJECTS, project._id), insert(LICENSES, active)));
    await expect(deletion(project)).rejects.toMatchObject({ code: 'PROJECT_HAS_ACTIVE_LICENSES' });
    expect(world.store.all(PROJECT_TASKS)).toEqual([]);
  });

  it('includes a license that is added meanwhile', async () => {
    const { project } = await world.create();
    world.beforeNextCommit(() => world.add(project));
    await deletion(project);
    expect(world.store.all(LICENSES)).toEqual([]);
    expect(await world.counts()).toEqual([0, 0, 0]);
  });
});

it('deleting all projects of a client counts them and all of their licenses no more', async () => {
  const { project } = await world.create();
  await world.add(project);
  await world.create();
  await world.projects.deleteAllOf(world.client._id, world.account);
  expect(world.store.all(PROJECTS)).toEqual([]);
  expect(await world.counts()).toEqual([0, 0, 0]);
});
