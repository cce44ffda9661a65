import type { License } from '../../../src/licenses/license.js';
import type { Project } from '../../../src/projects/project.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { aClient } from '../../builders/client.builder.js';
import { aLicense, aNewLicense } from '../../builders/license.builder.js';
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

  describe('rename', () => {
    it('changes the name and the time of the change, and nothing else', async () => {
      const { project } = await stored.project();
      const renamed = { ...project, name: 'Shop of 2027', updatedAt: at(9) };
      expect(
        await store.projects.rename(project._id, project.owner, renamed.name, at(9)),
      ).toStrictEqual(renamed);
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(renamed);
    });

    it("does not change another user's project", async () => {
      const { project } = await stored.project();
      expect(await store.projects.rename(project._id, newAccountId(), 'Stolen', at(9))).toBeNull();
      expect(await store.projects.rename(newObjectId(), project.owner, 'None', at(9))).toBeNull();
      expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    });
  });
});
