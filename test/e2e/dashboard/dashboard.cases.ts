import {
  activate,
  addLicense,
  createClient,
  createProject,
  type Developer,
  NOBODYS,
  registerDeveloper,
} from '../developer.js';
import { expectInvalid } from '../expect-response.js';
import { idsOf, type Listed } from '../pages.js';
import { useApp } from '../use-app.js';

describe('GET /dashboard', () => {
  const app = useApp();
  let ada: Developer;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
  });

  const read = async (query = '') => {
    const { status, body } = await app.get(`/dashboard${query}`, ada);
    expect(status).toBe(200);
    return body;
  };

  it('is empty at first, then shows clients, their projects and their licenses as they are read by themselves', async () => {
    const message = 'Dashboard loaded successfully';
    expect(await read()).toEqual({
      ...{ message, clientsCount: 0, projectsCount: 0, licensesCount: 0 },
      ...{ data: [], nextCursor: null },
    });
    const [older, newer] = [await createClient(app, ada), await createClient(app, ada)];
    const first = await createProject(app, ada, older._id);
    const second = await createProject(app, ada, older._id, { product: 'web-shop' });
    const added = await addLicense(app, ada, first.project._id);
    await activate(app, added);
    const activated = (await app.get(`/licenses/${added._id}`, ada)).body;

    expect(await read()).toEqual({
      ...{ message, clientsCount: 2, projectsCount: 2, licensesCount: 3 },
      data: [
        { ...newer, projectsCount: 0, projects: [] },
        {
          ...older,
          projectsCount: 2,
          projects: [
            { ...second.project, licensesCount: 1, licenses: [second.license] },
            { ...first.project, licensesCount: 2, licenses: [activated, first.license] },
          ],
        },
      ],
      nextCursor: null,
    });
  });

  it('shows one client, or those that are searched for, and counts everything all the same', async () => {
    const globex = await createClient(app, ada, { name: 'Globex' });
    const initech = await createClient(app, ada, { name: 'Initech' });
    const shown = async (query: string) => {
      const { data, ...totals } = await read(query);
      expect(totals).toMatchObject({ clientsCount: 2 });
      return idsOf(data as Listed[]);
    };

    expect(await shown(`?clientId=${globex._id.toUpperCase()}`)).toEqual([globex._id]);
    expect(await shown('?search=INI')).toEqual([initech._id]);
    expect(await shown(`?search=INI&clientId=${globex._id}`)).toEqual([]);
    expect(await shown(`?clientId=${NOBODYS}`)).toEqual([]);
  });

  it('400: rejects wrong parameters, and the cursor of the list of clients', async () => {
    for (let i = 0; i < 2; i++) await createClient(app, ada);
    const { nextCursor } = (await app.get('/clients?limit=1', ada)).body;
    const wrong = { limit: '21', clientId: 'x', search: '', cursor: nextCursor as string };
    for (const [name, value] of Object.entries(wrong)) {
      expectInvalid(await app.get(`/dashboard?${name}=${value}`, ada), name);
    }
  });
});
