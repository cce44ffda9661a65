import { aClient } from '../../test/builders/client.builder.js';
import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { at } from '../../test/builders/time.js';
import { ProjectServices, TERMS } from '../../test/project-services.js';
import { CLIENTS } from '../clients/client.js';
import { EVENTS } from '../licenses/license-event.js';
import { LICENSES } from '../licenses/license.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { increment, insert, MAX_BATCH_SIZE, remove } from '../storage/changes.js';
import { type Project, PROJECTS } from './project.js';
import { PROJECT_TASKS } from './project-task.js';

const FIRST_PAGE = { limit: 20, after: undefined };
const NO_CLIENT = { code: 'CLIENT_NOT_FOUND' };
const NOT_FOUND = { code: 'PROJECT_NOT_FOUND' };
const NOW = at(5);

let world: ProjectServices;
beforeEach(async () => void (world = await ProjectServices.create()));

const idempotencyRecord = () =>
  anIdempotencyRecord({ createdAt: world.clock.now(), owner: world.account });

describe('creating a project', () => {
  it('stores it with its first license and event, and counts them', async () => {
    const { store, account, client } = world;
    const { project, license } = await world.create();
    expect(store.all(PROJECTS)).toMatchObject([
      { ...project, version: expect.any(Number) as number, owner: account, licensesCount: 1 },
    ]);
    expect(store.all(LICENSES)).toMatchObject([
      {
        ...{ ...TERMS, user: account, client: client._id, project: project._id },
        ...{ product: 'web-shop', status: 'PENDING', replaces: null, createdAt: NOW },
      },
    ]);
    expect(store.all(EVENTS)).toMatchObject([
      { license: license._id, project: project._id, accountId: account, type: 'created', at: NOW },
    ]);
    expect(world.keys.reveal(license)).toContain(`-${project._id}-`);
    expect(await world.counts()).toEqual([1, 1, 1]);
  });

  it("stores nothing below a missing or another account's client, or one deleted meanwhile", async () => {
    const { store, client } = world;
    const foreign = aClient();
    await world.put(insert(CLIENTS, foreign));
    for (const _id of [newObjectId(), foreign._id]) {
      await expect(world.create({ client: _id })).rejects.toMatchObject(NO_CLIENT);
    }
    world.beforeNextCommit(async () =>
      world.put(remove(CLIENTS, (await store.find(CLIENTS, { _id: client._id }))!)),
    );
    await expect(world.create()).rejects.toMatchObject(NO_CLIENT);
    expect([...store.all(PROJECTS), ...store.all(LICENSES), ...store.all(EVENTS)]).toEqual([]);
    expect(await store.find(CLIENTS, { _id: foreign._id })).toMatchObject({ projectsCount: 0 });
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

  it('happens once for an idempotency key', async () => {
    const { projects, account, client } = world;
    const idempotency = idempotencyRecord();
    const request = { client: client._id, name: 'Shop', product: null, ...TERMS };
    const create = () => projects.createWithFirstLicense(account, request, idempotency);
    world.beforeNextCommit(create);
    expect(await create()).toEqual(await create());
    expect(await world.counts()).toEqual([1, 1, 1]);
  });
});

describe('adding a license', () => {
  const add = ({ _id }: Project, accountId = world.account) =>
    world.projects.addLicense(_id, accountId, TERMS);

  it("stores it with the project's client and product, and counts it", async () => {
    const { project } = await world.create();
    const license = await add(project);
    expect(license).toMatchObject({
      ...{ ...TERMS, user: world.account, client: world.client._id, project: project._id },
      ...{ product: 'web-shop', status: 'PENDING' },
    });
    expect(world.typesOf(license)).toEqual(['created']);
    expect(await world.stored(project)).toMatchObject({ licensesCount: 2 });
    expect(await world.counts()).toEqual([1, 1, 2]);
  });

  it('takes a product that the project is given meanwhile', async () => {
    const { project } = await world.create({ product: null });
    const changes = { product: 'shop' };
    world.beforeNextCommit(() => world.projects.update(project._id, world.account, changes));
    expect(await add(project)).toMatchObject(changes);
  });

  it("is rejected for another account's project, and one that is deleted meanwhile", async () => {
    const { project } = await world.create();
    await expect(add(project, newAccountId())).rejects.toMatchObject(NOT_FOUND);
    world.beforeNextCommit(() => world.projects.delete(project._id, world.account));
    await expect(add(project)).rejects.toMatchObject(NOT_FOUND);
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

  it('returns the first result for an idempotency key, though the project is deleted', async () => {
    const { projects, account } = world;
    const { _id } = (await world.create()).project;
    const idempotency = idempotencyRecord();
    const license = await projects.addLicense(_id, account, TERMS, idempotency);
    await projects.delete(_id, account);
    expect(await projects.addLicense(_id, account, TERMS, idempotency)).toEqual(license);
  });
});

describe('changing a project', () => {
  const update = ({ _id }: Project, changes: { name?: string; product?: string }) =>
    world.projects.update(_id, world.account, changes);

  it('changes nothing where no field is given', async () => {
    const project = await world.stored((await world.create()).project);
    world.clock.advance({ seconds: 1 });
    expect(await update(project, {})).toEqual(project);
    expect(await world.stored(project)).toEqual(project);
  });

  it('gives its licenses the product that it is given', async () => {
    const { project } = await world.create({ product: null });
    await world.create({ product: null });
    await world.add(project, { status: 'REVOKED' });
    await update(project, { product: 'shop' });
    expect(await world.stored(project)).toMatchObject({ product: 'shop', updatedAt: NOW });
    for (const license of world.store.all(LICENSES)) {
      expect(license.product).toBe(license.project === project._id ? 'shop' : null);
    }
    expect(world.store.all(PROJECT_TASKS)).toEqual([]);
  });

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

it("another account's project is not found, and stays as it is", async () => {
  const { store, projects } = world;
  const { _id } = (await world.create()).project;
  const before = store.all(PROJECTS);
  const stranger = newAccountId();
  for (const id of [_id, newObjectId()]) {
    await expect(projects.get(id, stranger)).rejects.toMatchObject(NOT_FOUND);
    await expect(projects.update(id, stranger, { name: 'x' })).rejects.toMatchObject(NOT_FOUND);
    await expect(projects.update(id, stranger, {})).rejects.toMatchObject(NOT_FOUND);
    await expect(projects.delete(id, stranger)).rejects.toMatchObject(NOT_FOUND);
  }
  expect(store.all(PROJECTS)).toEqual(before);
});

it('a list shows the projects of the account, the newest first, by client and product', async () => {
  const other = aClient({ owner: world.account });
  await world.put(insert(CLIENTS, other));
  const all: Project[] = [];
  for (const fields of [{}, { client: other._id }, { product: 'Web-Shop' }, { product: null }]) {
    all.unshift((await world.create(fields)).project);
    world.clock.advance({ seconds: 1 });
  }
  const list = async (client?: string, product?: string, owner = world.account) => {
    const { data } = await world.projects.list(owner, { client, product }, FIRST_PAGE);
    return data.map(({ _id }) => _id);
  };
  const [newest, third, second, first] = all.map(({ _id }) => _id);
  expect(await list()).toEqual([newest, third, second, first]);
  expect(await list(other._id)).toEqual([second]);
  expect(await list(world.client._id)).toEqual([newest, third, first]);
  expect(await list(undefined, 'web-shop')).toEqual([second, first]);
  expect(await list(other._id, 'web-shop')).toEqual([second]);
  expect(await list(other._id, undefined, newAccountId())).toEqual([]);
});
