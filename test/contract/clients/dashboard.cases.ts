import type { Client } from '../../../src/clients/client.js';
import { type ClientOverview, SHOWN } from '../../../src/dashboard/dashboard.js';
import type { DashboardFilter } from '../../../src/dashboard/dashboard.repository.js';
import type { License } from '../../../src/licenses/license.js';
import type { Project } from '../../../src/projects/project.js';
import { type AccountId, newAccountId } from '../../../src/shared/ids/account-id.js';
import type { Page, PageRequest } from '../../../src/shared/pagination/page.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { firstPage, idsOf, newestFirst, readPages } from '../pages.js';
import type { Stored } from '../stored.js';
import { twenty } from '../race.js';
import { useStore } from '../use-store.js';

const EVERYTHING: DashboardFilter = { client: undefined, search: undefined };
/** Creation times in another order than the ids, some of them equal. */
const MINUTES = Array.from({ length: SHOWN + 5 }, (_, index) => (index * 7) % 11);

describe.each(engines)('the dashboard on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const read = (user: AccountId, filter: Partial<DashboardFilter> = {}, page = firstPage()) =>
    store.dashboard.read(user, { ...EVERYTHING, ...filter }, page);

  const overviewOf = (project: Project, licenses: License[]) => ({
    project,
    licensesCount: licenses.length,
    licenses: newestFirst(licenses).slice(0, SHOWN),
  });

  it('is empty for a user who has nothing', async () => {
    await stored.project();
    expect(await read(newAccountId())).toStrictEqual({
      totals: { clientsCount: 0, projectsCount: 0, licensesCount: 0 },
      page: { data: [], next: null },
    });
  });

  it('shows each client with its projects, and each project with its licenses, as stored', async () => {
    const owner = newAccountId();
    const [first, second] = [
      await stored.client({ owner, createdAt: at(1) }),
      await stored.client({ owner, createdAt: at(2) }),
    ];
    const { project, license } = await stored.project(first);
    const added = await stored.licenseOf(project, { createdAt: at(3), services: ['Domain'] });
    expect(await read(owner)).toStrictEqual({
      totals: { clientsCount: 2, projectsCount: 1, licensesCount: 2 },
      page: {
        data: [
          { client: second, projectsCount: 0, projects: [] },
          { client: first, projectsCount: 1, projects: [overviewOf(project, [license, added])] },
        ],
        next: null,
      },
    });
  });

  it('shows the 20 newest of 25 projects in order, and counts them all', async () => {
    const [full, small] = [await stored.client(), await stored.client()];
    const all: Awaited<ReturnType<Stored['project']>>[] = [];
    for (const minutes of MINUTES) {
      all.push(await stored.project(full, { createdAt: at(minutes) }));
    }
    await stored.project(small);
    const { totals, page } = await read(full.owner);
    expect(totals).toStrictEqual({ clientsCount: 1, projectsCount: 25, licensesCount: 25 });
    const newest = newestFirst(all.map(({ project }) => project)).slice(0, SHOWN);
    const licenseOf = ({ _id }: Project) => all.find(({ project }) => project._id === _id)!.license;
    expect(page.data).toStrictEqual([
      {
        client: full,
        projectsCount: 25,
        projects: newest.map((project) => overviewOf(project, [licenseOf(project)])),
      },
    ]);
  });

  it('shows the 20 newest of 25 licenses of each project in order, and counts them all', async () => {
    const client = await stored.client();
    const overviews = [];
    for (const createdAt of [at(2), at(1)]) {
      const { project, license } = await stored.project(client, { createdAt });
      const licenses = [license];
      for (const minutes of MINUTES.slice(1)) {
        licenses.push(await stored.licenseOf(project, { createdAt: at(minutes) }));
      }
      overviews.push(overviewOf(project, licenses));
    }
    const { totals, page } = await read(client.owner);
    expect(totals).toStrictEqual({ clientsCount: 1, projectsCount: 2, licensesCount: 50 });
    expect(page.data).toStrictEqual([{ client, projectsCount: 2, projects: overviews }]);
    expect(page.data[0]?.projects.map(({ licenses }) => licenses.length)).toStrictEqual([20, 20]);
  });

  describe('of several clients', () => {
    const owner = newAccountId();
    const totals = { clientsCount: 6, projectsCount: 6, licensesCount: 6 };
    const clients: Client[] = [];
    beforeAll(async () => {
      for (const [index, minutes] of [5, 1, 5, 3, 1, 5].entries()) {
        const name = index % 2 ? 'Acme' : 'Beta';
        const client = await stored.client({ owner, name, createdAt: at(minutes) });
        await stored.project(client);
        clients.push(client);
      }
    });

    const clientsOf = (overviews: readonly ClientOverview[]) =>
      overviews.map(({ client }) => client);
    const pages = async (limit: number, filter: Partial<DashboardFilter> = {}) => {
      const list = async (page: PageRequest) => (await read(owner, filter, page)).page;
      return clientsOf(await readPages(list, limit));
    };

    it.each([1, 2, 4, 6, 7])('is read in pages of %i, newest first', async (limit) => {
      expect(await pages(limit)).toStrictEqual(newestFirst(clients));
    });

    it('shows one client or those that a search finds; the totals are of everything', async () => {
      const acme = newestFirst(clients.filter(({ name }) => name === 'Acme'));
      for (const limit of [1, 2, 3]) {
        expect(await pages(limit, { search: 'ac' })).toStrictEqual(acme);
      }
      const one = acme[1]!;
      for (const filter of [{ client: one._id }, { client: one._id, search: 'acm' }]) {
        const dashboard = await read(owner, filter);
        expect(dashboard.totals).toStrictEqual(totals);
        expect(clientsOf(dashboard.page.data)).toStrictEqual([one]);
        expect(dashboard.page.data[0]?.projects).toHaveLength(1);
      }
      for (const filter of [
        { client: one._id, search: 'bet' },
        { client: newObjectId() },
        { search: '%' },
        { search: one.email.slice(1) },
      ]) {
        expect(await read(owner, filter)).toStrictEqual({ totals, page: { data: [], next: null } });
      }
    });

    it("shows nothing of another user's client by its id", async () => {
      const { page } = await read(newAccountId(), { client: clients[0]!._id });
      expect(page).toStrictEqual({ data: [], next: null });
    });
  });

  describe('of clients with many licenses', () => {
    const owner = newAccountId();
    /** By the licenses of each of their projects, the newest first. */
    const counts = [Array<number>(19).fill(20), [21], [1], []];
    const clients: Client[] = [];
    beforeAll(async () => {
      for (const [index, licensesOfProjects] of counts.entries()) {
        const client = await stored.client({ owner, createdAt: at(9 - index) });
        for (const count of licensesOfProjects) {
          const { project } = await stored.project(client);
          for (let more = 1; more < count; more++) await stored.licenseOf(project);
        }
        clients.push(client);
      }
    });

    /** The clients of each page, and how many licenses each client shows. */
    const pages = async (limit: number, between: (page: number) => Promise<unknown>) => {
      const shown: [string, number][][] = [];
      let page: PageRequest | undefined = firstPage(limit);
      while (page) {
        const { data, next }: Page<ClientOverview> = (await read(owner, {}, page)).page;
        const licensesOf = ({ projects }: ClientOverview) =>
          projects.reduce((sum, { licenses }) => sum + licenses.length, 0);
        shown.push(data.map((overview) => [overview.client._id, licensesOf(overview)]));
        page = next ? { limit, after: next } : undefined;
        if (page) await between(shown.length);
      }
      return shown;
    };
    const nothing = () => Promise.resolve();

    it('ends a page before the client with which it would have more than 400', async () => {
      const [first, second, third, fourth] = idsOf(clients);
      expect(await pages(20, nothing)).toStrictEqual([
        [
          [first, 380],
          [second, 20],
        ],
        [
          [third, 1],
          [fourth, 0],
        ],
      ]);
      expect(await pages(3, nothing)).toStrictEqual(await pages(20, nothing));
      expect((await pages(1, nothing)).flat()).toStrictEqual((await pages(20, nothing)).flat());
    });

    it('shows each client once, though others are created and deleted between the pages', async () => {
      const [first, second, third] = idsOf(clients);
      const comeAndGo = async () => {
        const newer = await stored.client({ owner, createdAt: at(20) });
        await stored.project(newer);
        const older = await stored.client({ owner, createdAt: at(8) });
        expect(await store.clients.deleteWithoutProjects(clients[3]!._id, owner)).toBe('deleted');
        expect(await store.clients.deleteWithoutProjects(older._id, owner)).toBe('deleted');
      };
      expect(await pages(20, comeAndGo)).toStrictEqual([
        [
          [first, 380],
          [second, 20],
        ],
        [[third, 1]],
      ]);
    });

    it('lets other work run between two clients', async () => {
      let ticks = 0;
      let isRead = false;
      const count = () => {
        ticks++;
        if (!isRead) setImmediate(count);
      };
      setImmediate(count);
      const { page } = await read(owner, {}, firstPage(20));
      isRead = true;
      expect(ticks).toBeGreaterThanOrEqual(page.data.length);
    });
  });

  it('shows a client that is deleted at the same time either with all it has or not at all', async () => {
    const owner = newAccountId();
    const clients = [];
    for (const minutes of [3, 2, 1]) {
      clients.push(await stored.client({ owner, createdAt: at(minutes) }));
    }
    const last = clients[2]!;
    const [{ page }] = await Promise.all([
      read(owner),
      store.clients.deleteWithoutProjects(last._id, owner),
    ]);
    const shown = page.data.map(({ client }) => client);
    expect([clients, clients.slice(0, 2)]).toContainEqual(shown);
    expect(page.next).toBeNull();
  });

  it('counts records that are created and deleted 20 at a time', async () => {
    const owner = newAccountId();
    const clients = await twenty(() => stored.client({ owner }));
    const made = await Promise.all(clients.map((client) => stored.project(client)));
    await Promise.all(made.map(({ project }) => stored.licenseOf(project)));
    const all = { clientsCount: 20, projectsCount: 20, licensesCount: 40 };
    expect((await read(owner)).totals).toStrictEqual(all);

    const gone = made.slice(0, 15).map(({ project }) => project);
    await Promise.all(gone.map(({ _id }) => store.projects.deleteWithLicenses(_id, owner, at(9))));
    await Promise.all(
      idsOf(clients.slice(0, 10)).map((_id) => store.clients.deleteWithoutProjects(_id, owner)),
    );
    const { totals, page } = await read(owner);
    expect(totals).toStrictEqual({ clientsCount: 10, projectsCount: 5, licensesCount: 10 });
    expect(page.data.filter(({ projectsCount }) => projectsCount === 1)).toHaveLength(5);
    expect(page.data.filter(({ projects }) => projects.length === 1)).toHaveLength(5);
  });
});
