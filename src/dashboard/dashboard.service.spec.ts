import { aClient } from '../../test/builders/client.builder.js';
import { activeUntil, aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { ModelStore } from '../../test/contract/model-store.js';
import { type Client, CLIENTS } from '../clients/client.js';
import { type License, LICENSES } from '../licenses/license.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { insert } from '../storage/changes.js';
import { type Collection, NOT_STORED, type Stored } from '../storage/collection.js';
import { type ClientOverview, MAX_SHOWN } from './dashboard.js';
import { DashboardService } from './dashboard.service.js';

const ADA = newAccountId();
const NOW = new Date('2026-03-01T10:15:00.000Z');
const NO_TOTALS = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };

let store: ModelStore;
let dashboard: DashboardService;
beforeEach(() => {
  store = new ModelStore();
  dashboard = new DashboardService(store, { now: () => NOW });
});

async function put<R extends Stored>(collection: Collection<R>, record: R): Promise<R> {
  await store.commit([insert(collection, record)]);
  return (await store.find(collection, { _id: record._id } as Partial<R>))!;
}
const addClient = (fields: Partial<Client> = {}) =>
  put(CLIENTS, aClient({ owner: ADA, ...fields }));
const addProject = (client: Client, fields: Partial<Project> = {}) =>
  put(PROJECTS, aProject(client, fields));
const addLicense = (project: Project, fields: Partial<License> = {}) =>
  put(LICENSES, aLicense(project, fields));

describe('the dashboard', () => {
  const read = (
    filter: { client?: string; search?: string } = {},
    page: Partial<PageRequest> = {},
  ) =>
    dashboard.read(
      ADA,
      { client: undefined, search: undefined, ...filter },
      { limit: 20, after: undefined, ...page },
    );
  const clientsOf = (overviews: readonly ClientOverview[]) => overviews.map(({ client }) => client);

  it('shows nothing to an account without records, or one that was deleted', async () => {
    await addProject(await addClient({ owner: newAccountId() }));
    expect(await read()).toEqual({ totals: NO_TOTALS, page: { data: [], next: null } });
  });

  it('shows clients with their projects and licenses, the newest first, and the totals', async () => {
    const totals = { clientsCount: 2, projectsCount: 5, licensesCount: 9 };
    await put(TOTALS, { _id: ADA, version: NOT_STORED, ...totals });
    const [older, newer] = [
      await addClient({ createdAt: at(1), projectsCount: 2 }),
      await addClient({ createdAt: at(2) }),
    ];
    const [first, second] = [
      await addProject(older, { createdAt: at(1), licensesCount: 2 }),
      await addProject(older, { createdAt: at(2) }),
    ];
    const licenses = [
      await addLicense(first, { createdAt: at(3) }),
      await addLicense(first, { createdAt: at(4) }),
    ].toReversed();
    expect(await read()).toEqual({
      totals,
      page: {
        data: [
          { client: newer, projects: [] },
          {
            client: older,
            projects: [
              { project: second, licenses: [] },
              { project: first, licenses },
            ],
          },
        ],
        next: null,
      },
    });
  });

  it('shows licenses with the product that their project has been given', async () => {
    const project = await addProject(await addClient(), { product: 'shop' });
    await addLicense(project, { product: null });
    const [overview] = (await read()).page.data;
    expect(overview?.projects[0]?.licenses).toMatchObject([{ product: 'shop' }]);
  });

  it('shows as many projects of a client, and licenses of a project, as fit', async () => {
    const client = await addClient();
    const project = await addProject(client, { createdAt: at(99) });
    for (let minutes = 0; minutes < MAX_SHOWN + 2; minutes++) {
      await addProject(client, { createdAt: at(minutes) });
      await addLicense(project, { createdAt: at(minutes) });
    }
    const [overview] = (await read()).page.data;
    expect(overview?.projects).toHaveLength(MAX_SHOWN);
    const [newest, next] = overview!.projects;
    expect(newest?.licenses).toHaveLength(MAX_SHOWN);
    expect(newest?.licenses[0]?.createdAt).toEqual(at(MAX_SHOWN + 1));
    expect(next?.project.createdAt).toEqual(at(MAX_SHOWN + 1));
  });

  it('shows one client, those that a search finds, or both; the totals are of everything', async () => {
    const [acme, beta] = [await addClient({ name: 'Acme' }), await addClient({ name: 'Beta' })];
    const foreign = await addClient({ owner: newAccountId(), name: 'Acme' });
    const found = async (filter: { client?: string; search?: string }) =>
      clientsOf((await read(filter)).page.data);
    expect(await found({ client: beta._id })).toEqual([beta]);
    expect(await found({ search: 'ac' })).toEqual([acme]);
    expect(await found({ client: acme._id, search: 'ac' })).toEqual([acme]);
    expect(await found({ client: beta._id, search: 'ac' })).toEqual([]);
    expect(await found({ client: foreign._id })).toEqual([]);
    expect(await found({ client: newObjectId() })).toEqual([]);
  });

  it('continues after the last client that it shows, though a page ends early', async () => {
    const clients: Client[] = [];
    for (const [index, projectsCount] of [19, 2, 0, 1].entries()) {
      const client = await addClient({ createdAt: at(9 - index) });
      for (let i = 0; i < projectsCount; i++) await addProject(client, { licensesCount: 99 });
      clients.push(client);
    }
    const pages: (readonly Client[])[] = [];
    let page: PageRequest | undefined = { limit: 3, after: undefined };
    while (page) {
      const { data, next }: Page<ClientOverview> = (await read({}, page)).page;
      pages.push(clientsOf(data));
      page = next ? { limit: 3, after: next } : undefined;
    }
    expect(pages).toEqual([clients.slice(0, 1), clients.slice(1, 4)]);
  });
});

describe('the summary of licenses', () => {
  const later = (days: number, milliseconds = 0) =>
    new Date(NOW.getTime() + days * 86_400_000 + milliseconds);
  const add = async (...licenses: Partial<License>[]) => {
    const project = await addProject(await addClient());
    for (const fields of licenses) await addLicense(project, fields);
  };

  it('is all zeros for an account without licenses', async () => {
    const project = await addProject(await addClient({ owner: newAccountId() }));
    await addLicense(project, activeUntil(later(1)));
    expect(await dashboard.summarize(ADA, 1)).toEqual({
      licensesByStatus: { PENDING: 0, ACTIVE: 0, EXPIRED: 0, REVOKED: 0 },
      expiringWithin7Days: 0,
      expiringWithin30Days: 0,
      activationsPerDay: [{ date: '2026-03-01', count: 0 }],
    });
  });

  it('counts each status as of this moment', async () => {
    await add({}, activeUntil(later(0, 1)), activeUntil(later(99)), activeUntil(NOW), {
      ...activeUntil(later(1)),
      status: 'REVOKED',
    });
    const { licensesByStatus } = await dashboard.summarize(ADA, 1);
    expect(licensesByStatus).toEqual({ PENDING: 1, ACTIVE: 2, EXPIRED: 1, REVOKED: 1 });
  });

  it('counts ACTIVE licenses that expire within 7 and within 30 days', async () => {
    await add(
      ...[NOW, later(0, 1), later(7), later(7, 1), later(30), later(30, 1)].map(activeUntil),
      { ...activeUntil(later(1)), status: 'REVOKED' },
      { expiresAt: later(1) },
    );
    expect(await dashboard.summarize(ADA, 1)).toMatchObject({
      expiringWithin7Days: 2,
      expiringWithin30Days: 4,
    });
  });

  it('counts the activations of each day, days without one included, the oldest first', async () => {
    const times = ['02-26T23:59:59.999', '02-27T00:00:00.000', '02-27T23:59:59.999', '03-01T10:15'];
    await add(...times.map((time) => ({ activatedAt: new Date(`2026-${time}Z`) })), {});
    expect((await dashboard.summarize(ADA, 3)).activationsPerDay).toEqual([
      { date: '2026-02-27', count: 2 },
      { date: '2026-02-28', count: 0 },
      { date: '2026-03-01', count: 1 },
    ]);
    const { activationsPerDay } = await dashboard.summarize(ADA, 90);
    expect(activationsPerDay).toHaveLength(90);
    expect(activationsPerDay[0]?.date).toBe('2025-12-02');
  });
});
