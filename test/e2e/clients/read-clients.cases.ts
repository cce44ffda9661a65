import { ENGINES } from '../../engines.js';
import { createClient, createProject, registerDeveloper } from '../developer.js';
import { idsOf, readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('Reading and deleting clients on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  describe('GET /clients/:id', () => {
    it('returns the bare client to its owner', async () => {
      const client = await createClient(app, ada);
      const response = await app.get(`/clients/${client._id}`, ada);

      expect(response.status).toBe(200);
      expect(response.body).toEqual(client);
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
      const seen = await readPages(app, '/clients?limit=2', carol);

      expect(idsOf(seen)).toEqual(ids.reverse());
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
      await createProject(app, ada, _id);
      const response = await app.delete(`/clients/${_id}`, ada);

      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({
        message: 'Client has projects',
        code: 'CLIENT_HAS_PROJECTS',
      });
      expect((await app.get(`/clients/${_id}`, ada)).status).toBe(200);
    });
  });
});
