import { aMachine } from '../../test/builders.js';
import { contradictionsIn } from '../../test/contradictions.js';
import { useServices } from '../../test/services.js';
import type { User } from '../auth/accounts/user.js';
import { CLIENTS } from '../clients/client.js';
import { ClientsService } from '../clients/clients.service.js';
import { EVENTS } from '../events/event.js';
import { type License, LICENSES } from '../licenses/license.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { MACHINES } from '../machines/machine.js';
import { PROJECT_TASKS, TURN_SIZE } from '../projects/project-task.js';
import { ProjectTasks } from '../projects/project-tasks.job.js';
import { PROJECTS } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { newAccountId } from '../shared/ids.js';
import { AccountQuotas, newTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { insert, transitionsOf } from '../storage/changes.js';
import type { Collection, Stored } from '../storage/collection.js';
import { BinRetention } from './bin-retention.job.js';
import { BINNED, MAX_BINNED } from './binned.js';
import { Restores } from './restores.service.js';

const TERMS = { duration: 6, services: ['Hosting' as const] };
const PAGE = { limit: 100, after: undefined };

const services = useServices();
const { store, clock, the, put, stored, add, change, addMember, beforeNextCommit } = services;

describe('The bin', () => {
  let owner: User;
  const other = useServices(services);
  const addOwner = async () => {
    const _id = newAccountId();
    await put(insert(TOTALS, newTotals(_id)));
    return addMember({ account: _id }, { _id, role: 'owner' });
  };
  beforeEach(async () => (owner = await addOwner()));
  afterEach(async () => expect(await contradictionsIn(store)).toEqual([]));

  const createClient = (email = 'office@acme.example') =>
    the(ClientsService).create(owner.account, { name: 'Acme', email });
  const createProject = async (client?: string) => {
    const fields = { client: client ?? (await createClient())._id, name: 'Shop', product: 'shop' };
    return the(ProjectsService).createWithFirstLicense(owner.account, fields, TERMS);
  };
  const addLicenses = async ({ _id }: { _id: string }, count: number, externalId?: string) =>
    the(ProjectsService).addLicenses(_id, owner.account, { ...TERMS, externalId } as never, count);
  const activate = async (license: License) => {
    const activated = { status: 'ACTIVE', activatedAt: clock.now() } as const;
    const seated = { ...license, ...activated, seats: 1, nextNoticeAt: license.expiresAt };
    await change(LICENSES, license, seated);
    await add(MACHINES, aMachine('m1'.padEnd(64, '0'), {}, license));
  };
  const work = async () => {
    while (await the(ProjectTasks).step());
    expect(store.all(PROJECT_TASKS)).toEqual([]);
  };
  const deleteClient = ({ _id }: { _id: string }) =>
    the(ClientsService).delete(_id, owner.account, true);
  const deleteProject = ({ _id }: { _id: string }) =>
    the(ProjectsService).delete(_id, owner.account, true);
  const restore = (_id: string, by = owner) => the(Restores).restore(_id, by.account);
  const list = async (query = {}, by = owner) =>
    (await the(Restores).list(by.account, query, PAGE)).data;
  /** The stored records, without versions and times of deletion. */
  const content = () =>
    [CLIENTS, PROJECTS, LICENSES, MACHINES, TOTALS].map((collection) =>
      store
        .all<Stored>(collection as unknown as Collection<Stored>)
        .map((record) => ({ ...record, version: 0 }))
        .toSorted((a, b) => a._id.localeCompare(b._id)),
    );

  it.each(['before', 'after', 'while'])(
    'restores a client with its projects, licenses and machines, even if restored %s the licenses have moved',
    async (when) => {
      const { project, license } = await createProject();
      await addLicenses(project, TURN_SIZE);
      await activate(license.license);
      await createProject(project.client);
      const before = content();
      await deleteClient({ _id: project.client });
      expect(await the(LicensesService).list(owner.account, {} as never, PAGE)).toMatchObject({
        data: [],
      });
      expect(store.all(TOTALS)).toMatchObject([
        { clientsCount: 0, projectsCount: 0, licensesCount: 0, binnedCount: TURN_SIZE + 5 },
      ]);
      if (when === 'after') await work();
      if (when === 'while') await the(ProjectTasks).step();
      await restore(project.client);
      await work();
      expect(content()).toEqual(before);
      expect(store.all(BINNED)).toEqual([]);
    },
  );

  it('lists the records that can be restored, and finds a client by name or address, only for its account', async () => {
    const { project } = await createProject();
    const client = project.client;
    await deleteProject(project);
    clock.advance({ seconds: 1 });
    await deleteClient({ _id: client });
    await work();
    const eve = await addOwner();
    expect(await list()).toMatchObject([
      { _id: client, kind: 'client', name: 'Acme', deletedWith: null },
      { _id: project._id, kind: 'project', name: 'Shop', licensesCount: 1, parent: client },
    ]);
    expect(await list({ search: 'acme.ex' })).toMatchObject([{ _id: client }]);
    expect(await list({ kind: 'project' })).toMatchObject([{ _id: project._id }]);
    expect(await list({}, eve)).toEqual([]);
    for (const act of [
      restore(client, eve),
      the(Restores).erase(client, eve.account),
      // A license comes back with its project.
      restore(store.all(BINNED).find(({ kind }) => kind === 'license')!._id),
    ]) {
      await expect(act).rejects.toMatchObject({ code: 'BIN_ENTRY_NOT_FOUND' });
    }
    await expect(restore(project._id)).rejects.toMatchObject({
      ...{ code: 'PARENT_DELETED', fields: { parent: client } },
    });
    await restore(client);
    expect(store.all(PROJECTS)).toEqual([]);
    await restore(project._id);
    await work();
    const types = store.all(EVENTS).map(({ type }) => type);
    expect(types.filter((type) => type.endsWith('.restored')).toSorted()).toEqual([
      ...['client.restored', 'license.restored', 'project.restored'],
    ]);
  });

  it('rejects a client whose address is taken, even if it was taken one commit earlier', async () => {
    const client = await createClient();
    await deleteClient(client);
    const other = await createClient();
    await expect(restore(client._id)).rejects.toMatchObject({ code: 'CLIENT_EMAIL_TAKEN' });
    await deleteClient(other);
    beforeNextCommit(() => createClient());
    await expect(restore(client._id)).rejects.toMatchObject({ code: 'CLIENT_EMAIL_TAKEN' });
  });

  it('restores only once if two requests do so at the same time', async () => {
    const { project } = await createProject();
    await deleteProject(project);
    beforeNextCommit(() => other.the(Restores).restore(project._id, owner.account));
    await expect(restore(project._id)).rejects.toMatchObject({ code: 'BIN_ENTRY_NOT_FOUND' });
    await work();
  });

  it('leaves a license in the bin while another license has its external id', async () => {
    const { project } = await createProject();
    const first = await addLicenses(project, 1, 'order-1');
    await deleteProject(project);
    await work();
    const { project: other } = await createProject(project.client);
    const second = await addLicenses(other, 1, 'order-1');
    await restore(project._id);
    await work();
    const { license } = first.licenses[0]!;
    const { license: holder } = second.licenses[0]!;
    expect(await list()).toMatchObject([{ _id: license._id, kind: 'license' }]);
    expect(await contradictionsIn(store)).toEqual([]);
    await expect(restore(license._id)).rejects.toMatchObject({
      ...{ code: 'LICENSE_EXISTS', fields: { licenseId: holder._id } },
    });
    await change(LICENSES, holder, { externalId: null });
    await restore(license._id);
    expect((await stored(LICENSES, license)).externalId).toBe('order-1');
  });

  it('respects quotas', async () => {
    const { project } = await createProject();
    await deleteProject(project);
    const quotas = { clients: 0, projects: 0, licenses: 1, machines: 0 };
    const { project: other } = await createProject(project.client);
    jest.replaceProperty(the(AccountQuotas) as never, 'config' as never, { quotas } as never);
    await expect(restore(project._id)).rejects.toMatchObject({ code: 'LICENSE_QUOTA_REACHED' });
    await deleteProject(other);
    await restore(project._id);
    await work();
  });

  it.each(['erased', 'erased with its client', 'too old'])(
    'leaves nothing behind of a project that is %s',
    async (why) => {
      const { project, license } = await createProject();
      await activate(license.license);
      const isOfClient = why === 'erased with its client';
      await (isOfClient ? deleteClient({ _id: project.client }) : deleteProject(project));
      await work();
      const erase = (_id: string) => the(Restores).erase(_id, owner.account);
      if (why !== 'too old') await erase(isOfClient ? project.client : project._id);
      else {
        clock.advance({ seconds: 30 * 86_400 });
        expect(await the(BinRetention).step()).toBe(false);
        clock.advance({ seconds: 1 });
        expect(await list()).toEqual([]);
        await expect(restore(project._id)).rejects.toMatchObject({ code: 'BIN_ENTRY_NOT_FOUND' });
        await the(BinRetention).step();
      }
      await work();
      expect([...store.all(BINNED), ...store.all(LICENSES), ...store.all(MACHINES)]).toEqual([]);
      expect(store.all(TOTALS)).toMatchObject([{ binnedCount: 0, binnedMachines: 0 }]);
    },
  );

  it('erases its oldest entries instead of rejecting a deletion when it is full', async () => {
    const first = await createClient('a@acme.example');
    const second = await createClient('b@acme.example');
    const totals = store.all(TOTALS)[0]!;
    await deleteClient(first);
    clock.advance({ seconds: 1 });
    await change(TOTALS, totals, { binnedCount: MAX_BINNED });
    await deleteClient(second);
    expect(await list()).toMatchObject([{ _id: second._id }]);
    await change(TOTALS, totals, { binnedCount: 1 });
  });

  it('stores at most 40 events per commit, because each may have 20 deliveries', async () => {
    const { project } = await createProject();
    await addLicenses(project, 25);
    for (let count = 0; count < 45; count += 1) await createProject(project.client);
    const commit = jest.spyOn(store, 'commit');
    await deleteClient({ _id: project.client });
    await work();
    await restore(project.client);
    await work();
    const counts = commit.mock.calls.map(([changes]) => transitionsOf(EVENTS, changes).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(40);
  });

  it('keeps a revocation that was pending when the project was deleted', async () => {
    const { project, license } = await createProject();
    await addLicenses(project, TURN_SIZE);
    await the(ProjectsService).revokeLicenses(project._id, owner.account, 'Sold');
    await deleteProject(project);
    await work();
    await restore(project._id);
    await the(ProjectsService).revokeLicenses(project._id, owner.account, 'Stolen');
    await work();
    expect(store.all(LICENSES)).toHaveLength(TURN_SIZE + 1);
    expect(new Set(store.all(LICENSES).map(({ status }) => status))).toEqual(new Set(['REVOKED']));
    expect((await stored(LICENSES, license.license)).revokedReason).toBe('Sold');
  });

  it('follows a project that is restored or deleted at the commits of its steps', async () => {
    const { project } = await createProject();
    await addLicenses(project, 2 * TURN_SIZE);
    const before = content();
    await deleteProject(project);
    beforeNextCommit(() => restore(project._id));
    await the(ProjectTasks).step();
    beforeNextCommit(() => deleteProject(project));
    await work();
    expect(store.all(LICENSES)).toEqual([]);
    beforeNextCommit(() => the(ProjectTasks).step());
    await restore(project._id);
    await work();
    expect(content()).toEqual(before);
  });
});
