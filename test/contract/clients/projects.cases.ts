import type { License } from '../../../src/licenses/license.js';
import type { Project } from '../../../src/projects/project.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { aClient } from '../../builders/client.builder.js';
import { aLicense, aNewLicense } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import type { StoreUnderTest } from '../store-under-test.js';
import type { Stored } from '../stored.js';
import { useStore } from '../use-store.js';

describe.each(engines)('projects on $name', ({ open }) => {
  let store: StoreUnderTest;
  let stored: Stored;
  useStore(open, (...opened) => ([store, stored] = opened));

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

  it('stores a project with its license, as they are', async () => {
    const { project, license } = await stored.project();
    expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    expect(await store.licenses.findOwned(license._id, license.user)).toStrictEqual(license);
    expect(await store.licenses.findByKeyHash(license.keyHash)).toStrictEqual(license);
  });

  it('shows a project to nobody but its owner', async () => {
    const { project } = await stored.project();
    expect(await store.projects.findOwned(project._id, newAccountId())).toBeNull();
    expect(await store.projects.findOwned(newObjectId(), project.owner)).toBeNull();
  });

  it('stores nothing below a client that is not there, or is of another user', async () => {
    const missing = aProject(aClient());
    const foreign = aProject(await stored.client(), { owner: newAccountId() });
    for (const project of [missing, foreign]) {
      const license = aLicense(project);
      expect(await create(project, license)).toBe('client_not_found');
      await expectNeither(project, license);
      expect(await store.licenses.findByKeyHash(license.keyHash)).toBeNull();
    }
  });

  it('stores neither where another license has the key', async () => {
    const original = await stored.license();
    const client = await stored.client();
    const project = aProject(client);
    const copy = aLicense(project, { keyHash: original.keyHash });
    expect(await create(project, copy)).toBe('key_collision');
    await expectNeither(project, copy);
    expect(await store.licenses.findByKeyHash(original.keyHash)).toStrictEqual(original);
    expect(await store.clients.deleteWithoutProjects(client._id, client.owner)).toBe('deleted');
  });

  it('gives a key to one of 20 simultaneous licenses with it', async () => {
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
    const projects = Array.from({ length: 20 }, () => aProject(client));
    const licenses = projects.map((project) => aLicense(project));
    const outcomes = await Promise.all(
      projects.map((each, index) => create(each, licenses[index])),
    );
    expect(outcomes).toStrictEqual(
      projects.map((project, index) => ({ project, license: licenses[index] })),
    );
    for (const project of projects) {
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    }
  });

  describe('addLicense', () => {
    const add = (license: License) => store.projects.addLicense(aNewLicense(license));

    it('stores one more license of a project, as it is', async () => {
      const { project, license: first } = await stored.project();
      const second = await stored.licenseOf(project, { duration: 1, services: ['Domain'] });
      expect(await store.licenses.findByKeyHash(second.keyHash)).toStrictEqual(second);
      expect(await store.licenses.findOwned(second._id, second.user)).toStrictEqual(second);
      expect(await store.licenses.findByKeyHash(first.keyHash)).toStrictEqual(first);
    });

    it('stores nothing below a project that is not there, or is of another user', async () => {
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

    it('stores all of 20 licenses that are added to one project at once', async () => {
      const { project } = await stored.project();
      const licenses = Array.from({ length: 20 }, () => aLicense(project));
      expect(await Promise.all(licenses.map(add))).toStrictEqual(licenses);
    });
  });

  describe('rename', () => {
    it('changes the name, and nothing else but the time of the change', async () => {
      const { project } = await stored.project();
      const renamed = { ...project, name: 'Shop of 2027', updatedAt: at(9) };
      expect(
        await store.projects.rename(project._id, project.owner, renamed.name, at(9)),
      ).toStrictEqual(renamed);
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(renamed);
    });

    it("leaves another user's project as it is", async () => {
      const { project } = await stored.project();
      expect(await store.projects.rename(project._id, newAccountId(), 'Stolen', at(9))).toBeNull();
      expect(await store.projects.rename(newObjectId(), project.owner, 'None', at(9))).toBeNull();
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    });
  });
});
