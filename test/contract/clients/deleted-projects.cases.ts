import { setImmediate } from 'node:timers/promises';
import type { License } from '../../../src/licenses/license.js';
import type { LicenseQuery } from '../../../src/licenses/licenses.repository.js';
import type { Project } from '../../../src/projects/project.js';
import { LICENSES_AT_ONCE } from '../../../src/shared/deletion/deleted-licenses.repository.js';
import type { AccountId } from '../../../src/shared/ids/account-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import {
  activeUntil,
  aCertification,
  aLicense,
  aNewLicense,
  aReissue,
  aRenewal,
} from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { expectEachOnce, firstPage, idsOf, newestFirst, readPages } from '../pages.js';
import { activationOf, revocationOf } from '../port-arguments.js';
import { useStore } from '../use-store.js';

const NOW = at(10);
const ALL: LicenseQuery = {
  ...{ status: undefined, client: undefined, project: undefined, product: undefined },
  ...{ expiresBefore: undefined, sort: 'createdAt', order: 'desc' },
};
const COUNTS = { now: NOW, expiringBy: [at(1_000_000)], activatedSince: at(0) };
const NOTHING = { pending: 0, active: 0, expired: 0, revoked: 0, expiringBy: [0], activations: [] };

describe.each(engines)('a deleted project whose licenses are still stored on $name', (engine) => {
  const { store, stored } = useStore(engine.open, { forEachTest: true });

  const remove = ({ _id, owner }: Project) => store.projects.deleteWithLicenses(_id, owner, NOW);
  const list = (account: AccountId, query: Partial<LicenseQuery> = {}, limit = 100) =>
    store.licenses.listOwned(account, { ...ALL, ...query }, firstPage(limit), NOW);

  /** A project with a license of each status that a deletion allows, two of them once active. */
  const filled = async () => {
    const { project, license } = await stored.project();
    const expired = await stored.licenseOf(project, activeUntil(at(3)));
    const revoked = await stored.licenseOf(project, { ...activeUntil(at(20)), status: 'REVOKED' });
    return { project, licenses: [license, expired, revoked] as [License, License, License] };
  };

  /** On SQLite one more than a statement reads where it skips licenses of deleted projects. */
  const MANY = engine.name === 'SQLite' ? 501 : LICENSES_AT_ONCE + 20;

  const addMany = async (project: Project, count: number) => {
    const licenses: License[] = [];
    while (licenses.length < count) {
      const next = Array.from({ length: Math.min(20, count - licenses.length) }, () =>
        stored.licenseOf(project, { createdAt: at(5) }),
      );
      licenses.push(...(await Promise.all(next)));
    }
    return licenses;
  };

  it('shows none of them to any reader', async () => {
    const { project, licenses } = await filled();
    const { owner, client } = project;
    await Promise.all(licenses.map((license) => stored.find(license)));
    expect(await store.dashboard.countLicenses(owner, COUNTS)).toMatchObject({
      ...{ pending: 1, expired: 1, revoked: 1, activations: [{ count: 2 }] },
    });

    expect(await remove(project)).toBe('deleted');
    expect(await store.count('licenses')).toBeGreaterThanOrEqual(licenses.length);
    for (const license of licenses) {
      expect(await stored.find(license)).toBeNull();
      expect(await stored.eventsOf(license)).toStrictEqual([]);
      expect(await store.events.listTermEnds(license._id)).toStrictEqual([]);
    }
    for (const query of [{}, { client }, { project: project._id }, { expiresBefore: NOW }]) {
      expect(await list(owner, query)).toStrictEqual({ data: [], next: null });
    }
    expect(await store.dashboard.countLicenses(owner, COUNTS)).toStrictEqual(NOTHING);
    const totals = { clientsCount: 1, projectsCount: 0, licensesCount: 0 };
    expect(await stored.totalsOf(owner)).toStrictEqual(totals);
    expect(await store.projects.findOwned(project._id, owner)).toBeNull();
    expect(await store.accountDeletion.hasActiveLicenses(owner, NOW)).toBe(false);
    expect(await store.clients.deleteWithoutProjects(client, owner)).toBe('deleted');
  });

  it.each([undefined, 'an idempotency key'])('lets none of them change, with %s', async (key) => {
    const { project, licenses } = await filled();
    const [pending, expired] = licenses;
    await remove(project);
    const record = () =>
      key === undefined ? undefined : anIdempotencyRecord({ owner: project.owner });
    const calls: (() => Promise<unknown>)[] = [
      () => store.licenses.activate(...activationOf(pending)),
      () => store.licenses.revoke(...revocationOf(pending), record()),
      () => store.licenses.reissue(aReissue(pending), record()),
      () => store.licenses.certify(aCertification(pending), record()),
      () => store.licenses.certify(aCertification(expired), record()),
      () =>
        store.licenses.renew(
          expired,
          aRenewal(expired, 1, NOW),
          anEvent(expired, 'renewed'),
          record(),
        ),
    ];
    for (const call of calls) expect(await call()).toBeNull();
    expect(await store.count('idempotency_records')).toBe(0);
    const added = aNewLicense(aLicense(project));
    expect(await store.projects.addLicense(added)).toBe('project_not_found');
    const changes = { product: 'shop' };
    expect(await store.projects.update(project._id, project.owner, changes, NOW)).toBe('not_found');
    expect(await remove(project)).toBe('not_found');
  });

  it(`loses at most ${LICENSES_AT_ONCE} of them in one step, and is forgotten with the last one`, async () => {
    const { project } = await stored.project();
    const kept = await stored.project();
    await addMany(project, LICENSES_AT_ONCE);
    await remove(project);
    const before = await store.count('licenses');
    expect(await store.deletedLicenses.removeSome()).toBe('removed');
    expect(await store.count('licenses')).toBe(before - LICENSES_AT_ONCE);
    expect(await store.contradictions()).toStrictEqual([]);
    expect(await store.deletedLicenses.removeSome()).toBe('removed');
    expect(await store.deletedLicenses.removeSome()).toBe('nothing_left');
    expect(await store.count('licenses')).toBe(1);
    expect(await store.count('license_events')).toBe(1);
    expect(await stored.find(kept.license)).toStrictEqual(kept.license);
  });

  it('does not keep a further one waiting until all its licenses are removed', async () => {
    const [{ project: large }, { project: small }] = [await filled(), await filled()];
    await addMany(large, LICENSES_AT_ONCE);
    await remove(large);
    await remove(small);
    const before = await store.count('licenses');
    await store.deletedLicenses.removeSome();
    expect(before - (await store.count('licenses'))).toBeGreaterThanOrEqual(LICENSES_AT_ONCE + 3);
  });

  it('leaves every page of a list full of the licenses of other projects', async () => {
    const client = await stored.client();
    const { project: other, license } = await stored.project(client, {}, { createdAt: at(1) });
    const others = [license, await stored.licenseOf(other, { createdAt: at(6) })];
    const { project } = await stored.project(client, {}, { createdAt: at(5) });
    await addMany(project, MANY);
    others.push(await stored.licenseOf(other, { createdAt: at(2) }));
    await remove(project);
    const owner = client.owner;
    const pages = (query: Partial<LicenseQuery>) =>
      readPages((page) => store.licenses.listOwned(owner, { ...ALL, ...query }, page, NOW), 1);
    expect(idsOf(await pages({}))).toStrictEqual(idsOf(newestFirst(others)));
    expect(idsOf(await pages({ client: client._id }))).toStrictEqual(idsOf(newestFirst(others)));
    const counts = await store.dashboard.countLicenses(owner, COUNTS);
    expect(counts).toStrictEqual({ ...NOTHING, pending: others.length });
  });

  it('is seen whole or not at all by readers while it is deleted', async () => {
    const client = await stored.client();
    const { project: other, license: first } = await stored.project(client);
    const { project } = await stored.project(client);
    const others = [first, ...(await addMany(other, 20))];
    await addMany(project, MANY - 1);
    const { owner } = client;
    const isOfProject = (license: License) => license.project === project._id;

    let isRemoved = false;
    const seen = new Set<number>();
    const readers = [
      async () => {
        const { data } = await list(owner, {}, 2 * MANY);
        expectEachOnce(data, others);
        seen.add(data.filter(isOfProject).length);
      },
      async () => {
        const { pending } = await store.dashboard.countLicenses(owner, COUNTS);
        seen.add(pending - others.length);
      },
      async () => {
        const filter = { client: undefined, search: undefined };
        const { page } = await store.dashboard.read(owner, filter, firstPage(1));
        const [overview] = page.data;
        expect(overview?.projects).toHaveLength(overview!.projectsCount);
        for (const { licensesCount, licenses } of overview!.projects) {
          expect(licenses).toHaveLength(Math.min(licensesCount, 20));
        }
      },
    ].map(async (read) => {
      while (!isRemoved) {
        await read();
        await setImmediate();
      }
      await read();
    });
    const removal = async () => {
      expect(await remove(project)).toBe('deleted');
      await store.removeDeleted();
    };
    await Promise.all([...readers, removal().finally(() => (isRemoved = true))]);
    expect([...seen].filter((count) => count !== 0)).toStrictEqual(seen.has(MANY) ? [MANY] : []);
    expect(seen).toContain(0);
  });

  it('counts towards no quota', async () => {
    const { project } = await filled();
    Object.assign(store.quotas, { projects: 1, licenses: 3 });
    await remove(project);
    const client = await store.clients.findOwned(project.client, project.owner);
    const { project: next } = await stored.project(client!);
    await stored.licenseOf(next);
    await stored.licenseOf(next);
    await expect(stored.licenseOf(next)).rejects.toMatchObject({
      code: 'LICENSE_QUOTA_REACHED',
    });
  });
});
