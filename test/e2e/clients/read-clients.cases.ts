import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { createClient, type Developer, registerDeveloper } from '../developer.js';

const NOBODYS = '0123456789abcdef01234567';

describe.each(ENGINES)('Reading and deleting clients on %s', (engine) => {
  let app: TestApp;
  let ada: Developer;
  let bob: Developer;

  beforeAll(async () => {
    app = await TestApp.start(engine);
    [ada, bob] = await Promise.all([registerDeveloper(app), registerDeveloper(app)]);
  });
  afterAll(() => app.stop());

  describe('GET /clients/:id', () => {
    it('returns the bare client to its owner', async () => {
      const client = await createClient(app, ada);
      const response = await app.get(`/clients/${client._id}`, ada);

      expect(response.status).toBe(200);
      expect(response.body).toEqual(client);
    });

    it('responds to another user exactly as for a client that does not exist', async () => {
      const { _id } = await createClient(app, ada);
      const [foreign, missing] = await Promise.all([
        app.get(`/clients/${_id}`, bob),
        app.get(`/clients/${NOBODYS}`, bob),
      ]);

      expect(foreign.status).toBe(404);
      expect(foreign.body).toMatchObject({ message: 'Client not found', code: 'CLIENT_NOT_FOUND' });
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    });

    it.each(['nonsense', '%7B%22$ne%22:1%7D', '0', 'z'.repeat(24), 'a'.repeat(200)])(
      'says "Validation error" for the id %s',
      async (id) => {
        const response = await app.get(`/clients/${id}`, ada);

        expect(response.status).toBe(400);
        expect(response.body).toMatchObject({
          message: 'Validation error',
          errors: { id: [expect.any(String)] },
        });
      },
    );
  });

  describe('GET /clients', () => {
    it("lists the user's own clients alone, newest first, and each once across pages", async () => {
      const carol = await registerDeveloper(app);
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        // Two of a time, so that the id has to break the tie.
        app.clock.advance({ seconds: i % 2 });
        ids.push((await createClient(app, carol))._id);
      }
      const seen: string[] = [];
      let query = '?limit=2';
      for (;;) {
        const { body } = await app.get(`/clients${query}`, carol);
        seen.push(...body.data.map(({ _id }: { _id: string }) => _id));
        if (body.nextCursor === null) break;
        query = `?limit=2&cursor=${body.nextCursor}`;
      }

      expect(seen).toEqual(ids.reverse());
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'limit=1&limit=2',
      'cursor=x',
      'cursor[$ne]=',
      'unknown=1',
    ])('says "Validation error" for ?%s', async (query) => {
      const response = await app.get(`/clients?${query}`, ada);

      expect(response.status).toBe(400);
      expect(response.body.message).toBe('Validation error');
    });
  });

  describe('DELETE /clients/:id', () => {
    it('deletes a client that has no projects', async () => {
      const { _id } = await createClient(app, ada);

      expect((await app.delete(`/clients/${_id}`, ada)).status).toBe(204);
      expect((await app.get(`/clients/${_id}`, ada)).status).toBe(404);
      expect((await app.delete(`/clients/${_id}`, ada)).status).toBe(404);
    });

    it('keeps a client that has projects', async () => {
      const { _id } = await createClient(app, ada);
      await app.post(
        '/projects/createProject',
        { clientId: _id, projectName: 'Shop', duration: 1, services: ['Domain'] },
        ada,
      );
      const response = await app.delete(`/clients/${_id}`, ada);

      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({
        message: 'Client has projects',
        code: 'CLIENT_HAS_PROJECTS',
      });
      expect((await app.get(`/clients/${_id}`, ada)).status).toBe(200);
    });

    it("leaves another user's client alone", async () => {
      const { _id } = await createClient(app, ada);

      expect((await app.delete(`/clients/${_id}`, bob)).status).toBe(404);
      expect((await app.get(`/clients/${_id}`, ada)).status).toBe(200);
    });
  });
});
