import { aClient, aProject, at } from '../../test/builders.js';
import { readPages } from '../../test/read-pages.js';
import { useServices } from '../../test/services.js';
import { type Client, CLIENTS } from '../clients/client.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { newAccountId } from '../shared/ids.js';
import type { PageRequest } from '../shared/pagination/page.js';
import { DashboardService, MAX_LICENSES } from './dashboard.service.js';
import { MAX_SHOWN } from './dto/dashboard.dto.js';

const ADA = newAccountId();

describe('The dashboard', () => {
  const { the, add, addLicense } = useServices();

  const addClient = (fields: Partial<Client> = {}) =>
    add(CLIENTS, aClient({ owner: ADA, ...fields }));
  const addProject = (client: Client, fields: Partial<Project> = {}) =>
    add(PROJECTS, aProject(client, fields));
  const read = (page: PageRequest) => the(DashboardService).read(ADA, {}, page);

  it("shows as many of a client's projects, and of a project's licenses with its product, as fit", async () => {
    const client = await addClient();
    const project = await addProject(client, { createdAt: at(99), product: 'shop' });
    for (let minutes = 0; minutes < MAX_SHOWN + 2; minutes++) {
      await addProject(client, { createdAt: at(minutes) });
      await addLicense(project, { createdAt: at(minutes), product: null });
    }
    const [overview] = (await read({ limit: 20, after: undefined })).data;
    expect(overview?.projects).toHaveLength(MAX_SHOWN);
    const [newest, next] = overview!.projects;
    expect(newest?.licenses).toHaveLength(MAX_SHOWN);
    expect(newest?.licenses[0]).toMatchObject({ createdAt: at(MAX_SHOWN + 1), product: 'shop' });
    expect(next?.createdAt).toEqual(at(MAX_SHOWN + 1));
  });

  it('ends a page before the client that would exceed its licenses, and continues there', async () => {
    const clients: Client[] = [];
    // A client shows at most as many licenses as a page.
    expect(MAX_SHOWN * MAX_SHOWN).toBe(MAX_LICENSES);
    for (const [index, projectsCount] of [MAX_SHOWN + 1, MAX_SHOWN - 1, 1, 1, 0].entries()) {
      const client = await addClient({ createdAt: at(9 - index) });
      for (let i = 0; i < projectsCount; i++) await addProject(client, { licensesCount: 99 });
      clients.push(client);
    }
    const pages = await readPages(4, read);
    const shown = pages.map((page) => page.map(({ _id }) => _id));
    const ids = clients.map(({ _id }) => _id);
    expect(shown).toEqual([ids.slice(0, 1), ids.slice(1, 3), ids.slice(3)]);
  });
});
