import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { aLicense, aNewLicense, aReissue } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { at } from '../../builders/time.js';
import { NO_QUOTAS } from '../../no-limits.js';
import { timesInScope } from '../../scope.js';
import { ADDING } from '../added-records.js';
import { engines } from '../engines.js';
import type { Table } from '../store-under-test.js';
import { useStore } from '../use-store.js';

const ROOM = 7;
const AT_ONCE = timesInScope(50);
const COUNTERS = {
  clients: 'clientsCount',
  projects: 'projectsCount',
  licenses: 'licensesCount',
} as const;

describe.each(engines)('an account with quotas on $name', ({ open }) => {
  const { store, stored } = useStore(open);
  afterEach(() => void Object.assign(store.quotas, NO_QUOTAS));

  describe.each(ADDING)('$name and its quota of $quota', ({ quota, code, prepare }) => {
    const counter = COUNTERS[quota as keyof typeof COUNTERS];

    it(`allows ${ROOM} of ${AT_ONCE} writes at the same time, and the others leave nothing behind`, async () => {
      const owner = newAccountId();
      const writes = await prepare(store, owner, AT_ONCE);
      const before = await stored.totalsOf(owner);
      store.quotas[quota] = before[counter] + ROOM;
      const counted = await store.count(quota as Table);
      const records = await store.count('idempotency_records');
      const outcomes = await Promise.allSettled(
        writes.map((write, index) => write(index % 2 ? anIdempotencyRecord({ owner }) : undefined)),
      );

      const added = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(added).toHaveLength(ROOM);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code });
      }
      expect((await stored.totalsOf(owner))[counter]).toBe(before[counter] + ROOM);
      expect(await store.count(quota as Table)).toBe(counted + ROOM);
      expect(await store.count('idempotency_records')).toBeLessThanOrEqual(records + ROOM);
    });

    it('rejects the next write completely, which succeeds after the quota is raised', async () => {
      const owner = newAccountId();
      const [first, second] = await prepare(store, owner, 2);
      await first!();
      store.quotas[quota] = (await stored.totalsOf(owner))[counter];
      const before = await stored.counts();
      const idempotency = anIdempotencyRecord({ owner });
      await expect(second!(idempotency)).rejects.toMatchObject({ code });
      expect(await stored.counts()).toStrictEqual(before);
      expect(await store.idempotency.find(idempotency._id, at(0))).toBeNull();

      store.quotas[quota] += 1;
      const result = await second!(idempotency);
      expect(await store.idempotency.find(idempotency._id, at(0))).toMatchObject({ result });
    });

    it("counts no other account's records", async () => {
      const [one] = await prepare(store, newAccountId(), 1);
      const owner = newAccountId();
      const [other] = await prepare(store, owner, 1);
      store.quotas[quota] = (await stored.totalsOf(owner))[counter] + 1;
      await one!();
      expect(await other!()).toEqual(expect.any(Object));
    });
  });

  it('can add a record again after one is deleted', async () => {
    const owner = newAccountId();
    const client = await stored.client({ owner });
    const { project } = await stored.project(client);
    await stored.licenseOf(project);
    Object.assign(store.quotas, { clients: 1, projects: 1, licenses: 2 });
    const next = aProject(client);
    const create = () => store.projects.createWithFirstLicense(next, aNewLicense(aLicense(next)));
    await expect(create()).rejects.toMatchObject({ code: 'PROJECT_QUOTA_REACHED' });
    expect(await store.projects.deleteWithLicenses(project._id, owner, at(9))).toBe('deleted');
    expect(await create()).toMatchObject({ project: next });
    expect(await store.projects.deleteWithLicenses(next._id, owner, at(9))).toBe('deleted');

    await expect(store.clients.create(aClient({ owner }))).rejects.toMatchObject({
      code: 'CLIENT_QUOTA_REACHED',
    });
    expect(await store.clients.deleteWithoutProjects(client._id, owner)).toBe('deleted');
    await stored.client({ owner });
  });

  it('can delete but not add above a lowered quota', async () => {
    const owner = newAccountId();
    const clients = [await stored.client({ owner }), await stored.client({ owner })];
    const { project } = await stored.project(clients[0]);
    const added = aLicense(project);
    for (let index = 0; index < 3; index++) await stored.licenseOf(project);
    Object.assign(store.quotas, { clients: 1, projects: 1, licenses: 1 });

    const more = store.projects.addLicense(aNewLicense(added));
    await expect(more).rejects.toMatchObject({ code: 'LICENSE_QUOTA_REACHED' });
    expect(await store.clients.deleteWithoutProjects(clients[1]!._id, owner)).toBe('deleted');
    expect(await store.projects.deleteWithLicenses(project._id, owner, at(9))).toBe('deleted');
    expect(await stored.totalsOf(owner)).toEqual({
      clientsCount: 1,
      projectsCount: 0,
      licensesCount: 0,
    });
  });

  it("gets a request's own errors before the quota's", async () => {
    const owner = newAccountId();
    const client = await stored.client({ owner });
    const { project, license } = await stored.project(client);
    const reissue = aReissue(license);
    Object.assign(store.quotas, { clients: 1, projects: 1, licenses: 1, idempotencyRecords: 1 });
    const idempotency = () => anIdempotencyRecord({ owner });
    await store.clients.update(client._id, owner, { name: 'Acme' }, at(1));
    const foreign = aProject(aClient({ owner }));
    const missing = aLicense({ ...project, _id: newObjectId() });
    const { email } = client;

    expect(await store.clients.create(aClient({ owner, email }), idempotency())).toBe(
      'email_taken',
    );
    expect(
      await store.projects.createWithFirstLicense(
        foreign,
        aNewLicense(aLicense(foreign)),
        idempotency(),
      ),
    ).toBe('client_not_found');
    expect(await store.projects.addLicense(aNewLicense(missing), idempotency())).toBe(
      'project_not_found',
    );
    await expect(store.licenses.reissue(reissue, idempotency())).rejects.toMatchObject({
      code: 'LICENSE_QUOTA_REACHED',
    });
    expect(await store.licenses.findOwned(license._id, owner)).toStrictEqual(license);
    await store.licenses.revoke(license._id, owner, reissue.revocation, reissue.events[0]);
    expect(await store.licenses.reissue(reissue, idempotency())).toBeNull();
  });
});
