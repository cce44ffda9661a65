import { ENGINES } from '../../engines.js';
import { createClient, createProject, NOBODYS, registerDeveloper } from '../developer.js';
import { idsOf, readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('GET /projects on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);
  const bob = useDeveloper(app);
  let clients: { _id: string }[];
  const projects: { _id: string; client: string }[] = [];

  beforeAll(async () => {
    clients = await Promise.all([createClient(app, ada), createClient(app, ada)]);
    for (let i = 0; i < 6; i++) {
      // Two of a time, so that the id has to break the tie.
      app.clock.advance({ seconds: i % 2 });
      const { project } = await createProject(app, ada, clients[i % 2]!._id);
      projects.push(project);
    }
    await createProject(app, bob, (await createClient(app, bob))._id);
  });

  it("lists the user's own projects alone, newest first, and each once across pages", async () => {
    const { body } = await app.get('/projects', ada);

    expect(body).toEqual({ data: projects.toReversed(), nextCursor: null });
    expect(await readPages(app, '/projects?limit=4', ada)).toEqual(body.data);
    expect(await readPages(app, '/projects?limit=1', bob)).toHaveLength(1);
  });

  it('lists the projects of one client, page by page', async () => {
    const [client] = clients;
    const ofClient = projects.filter((project) => project.client === client!._id).toReversed();

    expect(await readPages(app, `/projects?clientId=${client!._id}`, ada)).toEqual(ofClient);
    const path = `/projects?limit=2&clientId=${client!._id.toUpperCase()}`;
    expect(await readPages(app, path, ada)).toEqual(ofClient);
  });

  it("shows nothing for another user's client, as for one that does not exist", async () => {
    for (const clientId of [clients[0]!._id, NOBODYS]) {
      const response = await app.get(`/projects?clientId=${clientId}`, bob);

      expect(response.status).toBe(200);
      expect(response.body).toEqual({ data: [], nextCursor: null });
    }
  });

  it('shows each project once while others come and go between the pages', async () => {
    const carol = await registerDeveloper(app);
    const { _id } = await createClient(app, carol);
    const created: string[] = [];
    for (let i = 0; i < 5; i++) created.push((await createProject(app, carol, _id)).project._id);
    const [oldest, ...others] = created;
    const comeAndGo = () =>
      Promise.all([createProject(app, carol, _id), app.delete(`/projects/${oldest}`, carol)]);
    const shown = await readPages(app, '/projects?limit=2', carol, comeAndGo);

    // Projects that were created meanwhile at the same time may be shown, too.
    expect(idsOf(shown).filter((id) => created.includes(id))).toEqual(others.reverse());
    expect(new Set(idsOf(shown)).size).toBe(shown.length);
  });

  it.each(['clientId=nonsense', 'clientId[$ne]=', 'clientId=', 'limit=0', 'cursor=x', 'client=1'])(
    '400: rejects ?%s',
    async (query) => {
      const response = await app.get(`/projects?${query}`, ada);

      expect(response.status).toBe(400);
      expect(response.body.message).toBe('Validation error');
    },
  );
});
