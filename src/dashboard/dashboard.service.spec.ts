import { aClient } from '../../test/builders/client.builder.js';
import { activeUntil, aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { ModelStore } from '../../test/contract/model-store.js';
import { type Client, CLIENTS } from '../clients/client.js';
import { type License, LICENSES } from '../licenses/license.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { newAccountId } from '../shared/ids/account-id.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import { insert } from '../storage/changes.js';
import type { Collection, Stored } from '../storage/collection.js';
import { type ClientOverview, fitting, MAX_LICENSES, MAX_SHOWN } from './dashboard.js';
import { DashboardService } from './dashboard.service.js';

describe('the clients that fit on a page', () => {
  /** How many of some clients fit, by the licenses of the projects of each. */
  const countFitting = (...counts: number[][]) => {
    const clients = counts.map(() => aClient());
    const projectsOf = (client: Client) =>
      counts[clients.indexOf(client)]!.map((licensesCount) => aProject(client, { licensesCount }));
    const shown = fitting(clients, projectsOf);
    expect(shown).toEqual(clients.slice(0, shown.length));
    return shown.length;
  };
  const full = (projects: number) => Array<number>(projects).fill(1_000);

  it('are all where they show no more licenses than a page', () => {
    expect(countFitting()).toBe(0);
    expect(countFitting([], [0, 1], full(18), [MAX_SHOWN - 1])).toBe(4);
  });

  it('end before the one that would exceed it, whatever follows', () => {
    expect(countFitting(full(18), [MAX_SHOWN, 1], full(1), [])).toBe(2);
    expect(countFitting(full(19), [MAX_SHOWN, 1], [])).toBe(1);
  });

  it('are at least one, because a client shows no more than a page', () => {
    expect(countFitting(full(MAX_SHOWN), [1])).toBe(1);
    expect(MAX_SHOWN * MAX_SHOWN).toBe(MAX_LICENSES);
  });
});

const ADA = newAccountId();
const NOW = new Date('2026-03-01T10:15:00.000Z');

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
  const read = async (page: PageRequest = { limit: 20, after: undefined }) =>
    (await dashboard.read(ADA, { client: undefined, search: undefined }, page)).page;

  it('shows licenses with the product that their project has been given', async () => {
    const project = await addProject(await addClient(), { product: 'shop' });
    await addLicense(project, { product: null });
    const [overview] = (await read()).data;
    expect(overview?.projects[0]?.licenses).toMatchObject([{ product: 'shop' }]);
  });

  it('shows as many projects of a client, and licenses of a project, as fit', async () => {
    const client = await addClient();
    const project = await addProject(client, { createdAt: at(99) });
    for (let minutes = 0; minutes < MAX_SHOWN + 2; minutes++) {
      await addProject(client, { createdAt: at(minutes) });
      await addLicense(project, { createdAt: at(minutes) });
    }
    const [overview] = (await read()).data;
    expect(overview?.projects).toHaveLength(MAX_SHOWN);
    const [newest, next] = overview!.projects;
    expect(newest?.licenses).toHaveLength(MAX_SHOWN);
    expect(newest?.licenses[0]?.createdAt).toEqual(at(MAX_SHOWN + 1));
    expect(next?.project.createdAt).toEqual(at(MAX_SHOWN + 1));
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
      const { data, next }: Page<ClientOverview> = await read(page);
      pages.push(data.map(({ client }) => client));
      page = next ? { limit: 3, after: next } : undefined;
    }
    expect(pages).toEqual([clients.slice(0, 1), clients.slice(1, 4)]);
  });
});

it('the summary counts ACTIVE licenses that expire within 7 and within 30 days', async () => {
  const later = (days: number, milliseconds = 0) =>
    new Date(NOW.getTime() + days * 86_400_000 + milliseconds);
  const ends = [NOW, later(0, 1), later(7), later(7, 1), later(30), later(30, 1)];
  const project = await addProject(await addClient());
  for (const end of ends) await addLicense(project, activeUntil(end));
  await addLicense(project, { ...activeUntil(later(1)), status: 'REVOKED' });
  await addLicense(project, { expiresAt: later(1) });
  expect(await dashboard.summarize(ADA, 1)).toMatchObject({
    expiringWithin7Days: 2,
    expiringWithin30Days: 4,
  });
});
