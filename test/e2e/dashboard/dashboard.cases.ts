import { ENGINES } from '../../engines.js';
import {
  activate,
  addLicense,
  createClient,
  createProject,
  type Developer,
  NOBODYS,
  registerDeveloper,
} from '../developer.js';
import { idsOf, type Listed, readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

interface ClientOverview extends Listed {
  readonly projectsCount: number;
  readonly projects: (Listed & { licensesCount: number; licenses: Listed[] })[];
}

describe.each(ENGINES)('GET /dashboard on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);
  const bob = useDeveloper(app);

  const read = async ({ token }: Developer, query = '') => {
    const { status, body } = await app.get(`/dashboard${query}`, { token });
    expect(status).toBe(200);
    return body;
  };

  it('is empty for a user that has nothing', async () => {
    expect(await read(bob)).toEqual({
      message: 'Dashboard loaded successfully',
      clientsCount: 0,
      projectsCount: 0,
      licensesCount: 0,
      data: [],
      nextCursor: null,
    });
  });

  it('shows clients, their projects and their licenses as they are read by themselves', async () => {
    const [older, newer] = [await createClient(app, ada), await createClient(app, ada)];
    const first = await createProject(app, ada, older._id);
    const second = await createProject(app, ada, older._id);
    const added = await addLicense(app, ada, first.project._id);
    await activate(app, added);
    const readOne = async (path: string) => (await app.get(path, ada)).body;

    expect(await read(ada)).toEqual({
      message: 'Dashboard loaded successfully',
      clientsCount: 2,
      projectsCount: 2,
      licensesCount: 3,
      data: [
        { ...newer, projectsCount: 0, projects: [] },
        {
          ...older,
          projectsCount: 2,
          projects: [
            { ...second.project, licensesCount: 1, licenses: [second.license] },
            {
              ...first.project,
              licensesCount: 2,
              licenses: [await readOne(`/licenses/${added._id}`), first.license],
            },
          ],
        },
      ],
      nextCursor: null,
    });
  });

  it('counts records as they are created and deleted', async () => {
    const carol = await registerDeveloper(app);
    const counts = async () => {
      const { clientsCount, projectsCount, licensesCount, data } = await read(carol);
      const [client] = data as ClientOverview[];
      return [clientsCount, projectsCount, licensesCount, client?.projectsCount];
    };
    const client = await createClient(app, carol);
    expect(await counts()).toEqual([1, 0, 0, 0]);
    const { project, license } = await createProject(app, carol, client._id);
    await addLicense(app, carol, project._id);
    expect(await counts()).toEqual([1, 1, 2, 1]);
    await app.post(`/licenses/${license._id}/reissue`, {}, carol);
    expect(await counts()).toEqual([1, 1, 3, 1]);
    await app.delete(`/clients/${client._id}`, carol);
    expect(await counts()).toEqual([1, 1, 3, 1]);
    await app.delete(`/projects/${project._id}`, carol);
    expect(await counts()).toEqual([1, 0, 0, 0]);
    await app.delete(`/clients/${client._id}`, carol);
    expect(await counts()).toEqual([0, 0, 0, undefined]);
  });

  it('counts everything, and shows the 20 newest projects of a client and licenses of a project', async () => {
    const carol = await registerDeveloper(app);
    const { _id } = await createClient(app, carol);
    const projects: string[] = [];
    const licenses: string[] = [];
    for (let i = 0; i < 21; i++) {
      // Three of a time, so that the id has to break the tie.
      app.clock.advance({ seconds: i % 3 ? 0 : 1 });
      projects.unshift((await createProject(app, carol, _id)).project._id);
    }
    for (let i = 0; i < 21; i++) {
      app.clock.advance({ seconds: i % 3 ? 0 : 1 });
      licenses.unshift((await addLicense(app, carol, projects[0]!))._id);
    }
    const { data, ...totals } = await read(carol);
    const [client] = data as ClientOverview[];
    const [project, ...others] = client!.projects;

    expect(totals).toMatchObject({ clientsCount: 1, projectsCount: 21, licensesCount: 42 });
    expect(client!.projectsCount).toBe(21);
    expect(idsOf(client!.projects)).toEqual(projects.slice(0, 20));
    expect(project!.licensesCount).toBe(22);
    expect(idsOf(project!.licenses)).toEqual(licenses.slice(0, 20));
    expect(others.map(({ licensesCount }) => licensesCount)).toEqual(Array(19).fill(1));
  });

  it('shows one client, or those that are searched for, and counts everything all the same', async () => {
    const carol = await registerDeveloper(app);
    const globex = await createClient(app, carol, { name: 'Globex' });
    const initech = await createClient(app, carol, { name: 'Initech' });
    await Promise.all([globex, initech].map(({ _id }) => createProject(app, carol, _id)));
    const shown = async (query: string) => {
      const { data, ...totals } = await read(carol, query);
      expect(totals).toMatchObject({ clientsCount: 2, projectsCount: 2, licensesCount: 2 });
      return idsOf(data as ClientOverview[]);
    };

    expect(await shown(`?clientId=${globex._id.toUpperCase()}`)).toEqual([globex._id]);
    expect(await shown('?search=INI')).toEqual([initech._id]);
    expect(await shown(`?search=INI&clientId=${globex._id}`)).toEqual([]);
    expect(await shown('?search=%25')).toEqual([]);
    expect(await shown(`?clientId=${NOBODYS}`)).toEqual([]);
  });

  it('shows each client once across pages, with what belongs to it', async () => {
    const carol = await registerDeveloper(app);
    const clients: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { _id } = await createClient(app, carol);
      await createProject(app, carol, _id);
      clients.unshift(_id);
    }
    const come = () => {
      app.clock.advance({ seconds: 1 });
      return createClient(app, carol);
    };
    const shown = await readPages<ClientOverview>(app, '/dashboard?limit=2', carol, come);

    expect(idsOf(shown)).toEqual(clients);
    for (const { projects } of shown) expect(projects[0]?.licenses).toHaveLength(1);
  });

  it("shows and counts nothing of another user's", async () => {
    const { _id } = await createClient(app, ada);
    const nothing = await read(bob);

    expect(nothing).toMatchObject({ clientsCount: 0, projectsCount: 0, licensesCount: 0 });
    expect((await read(bob, `?clientId=${_id}`)).data).toEqual([]);
    expect((await read(bob, '?search=acme')).data).toEqual([]);
  });

  it.each(['limit=0', 'limit=21', 'clientId=x', 'search=', 'search[$ne]=', 'cursor=x', 'days=7'])(
    '400: rejects ?%s',
    async (query) => {
      const response = await app.get(`/dashboard?${query}`, ada);

      expect(response.status).toBe(400);
      expect(response.body.message).toBe('Validation error');
    },
  );

  it('400: rejects the cursor of the list of clients', async () => {
    const { body } = await app.get('/clients?limit=1', ada);

    expect((await app.get(`/dashboard?cursor=${body.nextCursor}`, ada)).status).toBe(400);
  });
});
