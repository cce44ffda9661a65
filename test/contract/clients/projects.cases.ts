import type { License } from '../../../src/licenses/license.js';
import type { Project } from '../../../src/projects/project.js';
import { type AccountId, newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { aClient } from '../../builders/client.builder.js';
import { activeUntil, aLicense, aNewLicense } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { twenty } from '../race.js';
import { useStore } from '../use-store.js';

describe.each(engines)('projects on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const create = (project: Project, license: License = aLicense(project)) =>
    store.projects.createWithFirstLicense(project, aNewLicense(license));

  const expectNoLicense = async (license: License) => {
    expect(await store.licenses.findOwned(license._id, license.user)).toBeNull();
    expect(await store.events.listTermEnds(license._id)).toStrictEqual([]);
  };
  const expectNeither = async (project: Project, license: License) => {
    expect(await store.projects.findOwned(project._id, project.owner)).toBeNull();
    await expectNoLicense(license);
  };

  it('stores a project with its license', async () => {
    const { project, license } = await stored.project();
    expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    expect(await stored.find(license)).toStrictEqual(license);
  });

  it('finds no project of another owner', async () => {
    const { project } = await stored.project();
    expect(await store.projects.findOwned(project._id, newAccountId())).toBeNull();
    expect(await store.projects.findOwned(newObjectId(), project.owner)).toBeNull();
  });

  it("stores nothing of a missing or another user's client", async () => {
    const missing = aProject(aClient());
    const foreign = aProject(await stored.client(), { owner: newAccountId() });
    for (const project of [missing, foreign]) {
      const license = aLicense(project);
      expect(await create(project, license)).toBe('client_not_found');
      await expectNeither(project, license);
      expect(await store.licenses.findByKeyHash(license.keyHash)).toBeNull();
    }
  });

  it('stores neither the project nor the license where another license has the key', async () => {
    const original = await stored.license();
    const client = await stored.client();
    const project = aProject(client);
    const copy = aLicense(project, { keyHash: original.keyHash });
    expect(await create(project, copy)).toBe('key_collision');
    await expectNeither(project, copy);
    expect(await store.licenses.findByKeyHash(original.keyHash)).toStrictEqual(original);
    expect(await store.clients.deleteWithoutProjects(client._id, client.owner)).toBe('deleted');
  });

  it('stores one of 20 simultaneous licenses with the same key', async () => {
    const client = await stored.client();
    const rivals = Array.from({ length: 20 }, () => aProject(client));
    const keyHash = `one key for all of ${client._id}`;
    const outcomes = await Promise.all(
      rivals.map((project) => create(project, aLicense(project, { keyHash }))),
    );
    const winners = rivals.filter((_, index) => outcomes[index] !== 'key_collision');
    expect(winners).toHaveLength(1);
    expect((await store.licenses.findByKeyHash(keyHash))?.project).toBe(winners[0]?._id);
  });

  it('creates all of 20 simultaneous projects of one client', async () => {
    const client = await stored.client();
    const created = await twenty(() => stored.project(client));
    for (const { project } of created) {
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    }
  });

  describe('addLicense', () => {
    const add = (license: License) => store.projects.addLicense(aNewLicense(license));

    it('stores one more license of a project', async () => {
      const { project, license: first } = await stored.project();
      const second = await stored.licenseOf(project, { duration: 1, services: ['Domain'] });
      expect(await stored.find(second)).toStrictEqual(second);
      expect(await stored.find(first)).toStrictEqual(first);
    });

    it("gives the license its project's product, though it was read without one", async () => {
      const { project } = await stored.project(undefined, { product: 'shop' });
      const read = aLicense({ ...project, product: null });
      const license = { ...read, product: 'shop' };
      expect(await add(read)).toStrictEqual(license);
      expect(await stored.find(license)).toStrictEqual(license);
    });

    it("stores nothing of a missing or another user's project", async () => {
      const missing = aLicense(aProject(aClient()));
      const { project } = await stored.project();
      const foreign = aLicense(project, { user: newAccountId() });
      for (const license of [missing, foreign]) {
        expect(await add(license)).toBe('project_not_found');
        await expectNoLicense(license);
      }
    });

    it('stores nothing where another license has the key', async () => {
      const { project, license: original } = await stored.project();
      const copy = aLicense(project, { keyHash: original.keyHash });
      expect(await add(copy)).toBe('key_collision');
      await expectNoLicense(copy);
      expect(await store.licenses.findByKeyHash(original.keyHash)).toStrictEqual(original);
    });

    it('stores all of 20 licenses that are added to one project at the same time', async () => {
      const { project } = await stored.project();
      const licenses = await twenty(() => stored.licenseOf(project));
      for (const license of licenses) expect(await stored.find(license)).toStrictEqual(license);
    });
  });

  describe('update', () => {
    it('changes the name and the time of the change, and nothing else', async () => {
      const { project } = await stored.project();
      const renamed = { ...project, name: 'Shop of 2027', updatedAt: at(9) };
      expect(
        await store.projects.update(project._id, project.owner, { name: renamed.name }, at(9)),
      ).toStrictEqual(renamed);
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(renamed);
    });

    it('gives a project without a product one, and it to all its licenses and to no others', async () => {
      const { project, license } = await stored.project();
      const second = await stored.licenseOf(project, activeUntil(at(99)));
      const other = await stored.license();
      // Cached before the change.
      for (const each of [license, second]) await store.licenses.findByKeyHash(each.keyHash);
      const changes = { name: 'Shop', product: 'web-shop' };
      const updated = { ...project, ...changes, updatedAt: at(9) };
      expect(await store.projects.update(project._id, project.owner, changes, at(9))).toStrictEqual(
        updated,
      );
      for (const each of [license, second]) {
        const expected = { ...each, product: 'web-shop' };
        expect(await store.licenses.findByKeyHash(each.keyHash)).toStrictEqual(expected);
        expect(await stored.find(each)).toStrictEqual(expected);
      }
      expect(await stored.find(other)).toStrictEqual(other);
    });

    it('changes no product, and nothing beside it; the same product is no change of it', async () => {
      const { project, license } = await stored.project(undefined, { product: 'shop' });
      const update = (product: string) =>
        store.projects.update(project._id, project.owner, { name: 'New', product }, at(9));
      expect(await update('Shop')).toBe('has_product');
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
      expect(await stored.find(license)).toStrictEqual(license);
      expect(await update('shop')).toMatchObject({ name: 'New', product: 'shop' });
    });

    it('gives one of 20 products that are set at the same time, and it to every license', async () => {
      const { project } = await stored.project();
      const outcomes = await twenty(async (index) => {
        const product = `product-${index}`;
        const updated = store.projects.update(project._id, project.owner, { product }, at(9));
        const added = store.projects.addLicense(aNewLicense(aLicense(project)));
        return [await updated, await added] as const;
      });
      const given = outcomes.filter(([updated]) => typeof updated === 'object');
      expect(given).toHaveLength(1);
      const { product } = (await store.projects.findOwned(project._id, project.owner))!;
      expect(given[0]![0]).toMatchObject({ product });
      for (const [, license] of outcomes) {
        expect(await stored.find(license as License)).toMatchObject({ product });
      }
    });

    it("does not change another user's project", async () => {
      const { project } = await stored.project();
      const update = (_id: string, account: AccountId) =>
        store.projects.update(_id, account, { name: 'Stolen', product: 'stolen' }, at(9));
      expect(await update(project._id, newAccountId())).toBe('not_found');
      expect(await update(newObjectId(), project.owner)).toBe('not_found');
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    });
  });
});
