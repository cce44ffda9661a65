import { createClient, createProject } from '../developer.js';
import { expectInvalid } from '../expect-response.js';
import { readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('GET /projects', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  it("lists the user's own projects, all or those of a client, newest first, and each once across pages", async () => {
    const clients = [await createClient(app, ada), await createClient(app, ada)];
    const projects: { _id: string; client: string }[] = [];
    for (let i = 0; i < 6; i++) {
      // Two of a time, so that the id has to break the tie.
      app.clock.advance({ seconds: i % 2 });
      projects.unshift((await createProject(app, ada, clients[i % 2]!._id)).project);
    }
    const clientId = clients[0]!._id;
    const ofClient = projects.filter(({ client }) => client === clientId);

    expect(await readPages(app, '/projects?limit=4', ada)).toEqual(projects);
    expect(await readPages(app, `/projects?limit=2&clientId=${clientId}`, ada)).toEqual(ofClient);
  });

  it.each([
    ['clientId', 'nonsense'],
    ['limit', '0'],
    ['cursor', 'x'],
  ])('400: rejects ?%s=%s', async (name, value) => {
    expectInvalid(await app.get(`/projects?${name}=${value}`, ada), name);
  });
});
