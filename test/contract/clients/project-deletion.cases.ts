import type { License } from '../../../src/licenses/license.js';
import type { Project } from '../../../src/projects/project.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { activeUntil, aLicense, aNewLicense } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { timesInScope } from '../../scope.js';
import { engines } from '../engines.js';
import { activationOf, aProjectWithLicense } from '../port-arguments.js';
import { race, twenty } from '../race.js';
import { useStore } from '../use-store.js';

const NOW = at(10);
const ROUNDS = timesInScope(20);

describe.each(engines)('deleting a project on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const remove = ({ _id, owner }: Project, now = NOW) =>
    store.projects.deleteWithLicenses(_id, owner, now);
  const projectOf = ({ _id, owner }: Project) => store.projects.findOwned(_id, owner);

  it('deletes its licenses and their events, and nothing of another project', async () => {
    const { project, license } = await stored.project();
    const licenses = [license, await stored.licenseOf(project), await stored.licenseOf(project)];
    const other = await stored.project();
    for (const { keyHash } of licenses) await store.licenses.findByKeyHash(keyHash);

    expect(await remove(project)).toBe('deleted');
    expect(await projectOf(project)).toBeNull();
    for (const each of licenses) {
      expect(await stored.find(each)).toBeNull();
      expect(await stored.eventsOf(each)).toStrictEqual([]);
    }
    expect(await projectOf(other.project)).toStrictEqual(other.project);
    expect(await stored.eventsOf(other.license)).toHaveLength(1);
    expect(await remove(project)).toBe('not_found');
  });

  it.each<[string, Partial<License>]>([
    ['PENDING', {}],
    ['PENDING, though its term would not be over', { expiresAt: at(11) }],
    ['EXPIRED this very moment', activeUntil(NOW)],
    ['EXPIRED long ago', activeUntil(at(3))],
    ['REVOKED, though its term is not over', { ...activeUntil(at(11)), status: 'REVOKED' }],
  ])('deletes a license that is %s', async (_status, fields) => {
    const { project } = await stored.project(undefined, {}, fields);
    expect(await remove(project)).toBe('deleted');
  });

  it('keeps everything where one of its licenses is ACTIVE for one more millisecond', async () => {
    const { project, license } = await stored.project();
    const active = activeUntil(new Date(NOW.getTime() + 1));
    const licenses = [license, await stored.licenseOf(project, active)];
    expect(await remove(project)).toBe('has_active_licenses');
    expect(await projectOf(project)).toStrictEqual(project);
    for (const each of licenses) {
      expect(await stored.find(each)).toStrictEqual(each);
      expect(await stored.eventsOf(each)).toHaveLength(1);
    }
    expect(await remove(project, new Date(NOW.getTime() + 1))).toBe('deleted');
  });

  it("keeps another user's project, and does not tell that it exists or has active licenses", async () => {
    const first = await stored.project();
    const second = await stored.project(undefined, {}, activeUntil(at(11)));
    for (const { project } of [first, second]) {
      const outcome = await store.projects.deleteWithLicenses(project._id, newAccountId(), NOW);
      expect(outcome).toBe('not_found');
      expect(await projectOf(project)).toStrictEqual(project);
    }
    const missing = { ...first.project, _id: newObjectId() };
    expect(await remove(missing)).toBe('not_found');
  });

  it('frees the keys of its licenses', async () => {
    const { project, license } = await stored.project();
    await remove(project);
    await store.removeDeleted();
    await stored.license({ keyHash: license.keyHash });
  });

  it('is done once by 20 calls at the same time', async () => {
    const { project } = await stored.project();
    const outcomes = await twenty(() => remove(project));
    expect(outcomes.toSorted()).toStrictEqual(['deleted', ...Array<string>(19).fill('not_found')]);
  });

  it('never deletes a license that is activated at the same time', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { project, license } = await stored.project();
      const activate = () => store.licenses.activate(...activationOf(license));
      const [activated, removed] = await race(round, activate, () => remove(project));
      expect(removed).toBe(activated ? 'has_active_licenses' : 'deleted');
      expect(await stored.find(license)).toStrictEqual(activated);
      expect(await stored.eventsOf(license)).toHaveLength(activated ? 2 : 0);
    }
  });

  it('leaves no license without its project that is added at the same time', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { project } = await stored.project();
      const license = aLicense(project, round % 4 < 2 ? {} : activeUntil(at(11)));
      const add = () => store.projects.addLicense(aNewLicense(license));
      const [added, removed] = await race(round, add, () => remove(project));
      const kept = removed === 'has_active_licenses';
      if (kept) expect(added).toStrictEqual(license);
      expect(await stored.find(license)).toStrictEqual(kept ? license : null);
      expect((await projectOf(project)) !== null).toBe(kept);
    }
  });

  it('never leaves a project without its client, whichever of creation and deletion is first', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const client = await stored.client();
      const create = () => store.projects.createWithFirstLicense(...aProjectWithLicense(client));
      const [added, removed] = await race(
        round,
        () => Promise.all([create(), create(), create()]),
        () => store.clients.deleteWithoutProjects(client._id, client.owner),
      );
      const found = await store.clients.findOwned(client._id, client.owner);
      expect(removed).toBe(found ? 'has_projects' : 'deleted');
      const rejected = added.filter((outcome) => outcome === 'client_not_found');
      expect(rejected).toHaveLength(found ? 0 : 3);
    }
  });
});
