import { ENGINES } from '../../engines.js';
import { atOnce, statusesOf } from '../at-once.js';
import { createClient, NOBODYS } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('PATCH /clients/:id on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);
  const bob = useDeveloper(app);

  const read = async (_id: string) => (await app.get(`/clients/${_id}`, ada)).body;

  describe('200', () => {
    it.each([
      ['the name', { name: '  Acme & Söhne ' }, { name: 'Acme & Söhne' }],
      ['the e-mail address', { email: ' New@ACME.Example ' }, { email: 'new@acme.example' }],
      [
        'both',
        { name: 'Globex', email: 'both@globex.example' },
        { name: 'Globex', email: 'both@globex.example' },
      ],
    ])('changes %s, and leaves the rest as it is', async (_case, changes, changed) => {
      const client = await createClient(app, ada);
      app.clock.advance({ seconds: 1 });
      const response = await app.patch(`/clients/${client._id}`, changes, ada);

      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        message: 'Client updated successfully',
        client: { ...client, ...changed, updatedAt: app.clock.now().toISOString() },
      });
      expect(await read(client._id)).toEqual(response.body.client);
    });

    it('changes nothing for a body without fields, not even the time of the last change', async () => {
      const client = await createClient(app, ada);
      app.clock.advance({ seconds: 1 });
      const responses = await Promise.all([
        app.patch(`/clients/${client._id}`, {}, ada),
        app.send('PATCH', `/clients/${client._id}`, undefined, ada),
      ]);

      for (const response of responses) {
        expect(response.status).toBe(200);
        expect(response.body.client).toEqual(client);
      }
    });

    it("takes the client's own e-mail address again, in any case", async () => {
      const { _id, email } = await createClient(app, ada);
      const response = await app.patch(`/clients/${_id}`, { email: email.toUpperCase() }, ada);

      expect(response.status).toBe(200);
      expect(response.body.client.email).toBe(email);
    });

    it('frees the old e-mail address for another client', async () => {
      const { _id, email } = await createClient(app, ada);
      await app.patch(`/clients/${_id}`, { email: 'moved@acme.example' }, ada);

      expect((await app.post('/clients', { name: 'Heir', email }, bob)).status).toBe(201);
    });
  });

  describe('400', () => {
    it.each([
      ['name', null, 'Client name required'],
      ['name', '', 'Client name required'],
      ['name', ' ', 'Client name required'],
      ['name', [], 'Client name required'],
      ['email', null, 'Client email required'],
      ['email', ' ', 'Client email required'],
    ])('rejects emptying %s by %j', async (field, value, message) => {
      const client = await createClient(app, ada);
      const response = await app.patch(`/clients/${client._id}`, { [field]: value }, ada);

      expect(response.status).toBe(400);
      expect(response.body.message).toBe(message);
      expect(await read(client._id)).toEqual(client);
    });

    it.each([
      ['name', 'x'.repeat(201)],
      ['name', 5],
      ['name', { $set: { owner: NOBODYS } }],
      ['name', ['Acme']],
      ['name', 'Ac\u0000me'],
      ['email', 'not an address'],
      ['email', { $ne: null }],
      ['email', `${'a'.repeat(246)}@acme.test`],
    ])('rejects %s: %j', async (field, value) => {
      const client = await createClient(app, ada);
      const changes = { name: 'Right', email: 'right@acme.example', [field]: value };
      const response = await app.patch(`/clients/${client._id}`, changes, ada);

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        message: 'Validation error',
        errors: { [field]: expect.arrayContaining([expect.any(String)]) },
      });
      expect(await read(client._id)).toEqual(client);
    });

    it.each(['nmae', 'owner', '_id', 'createdAt', 'searchEmail', '$set', 'toString', 'email.$ne'])(
      'rejects the unknown field %s by its name, and the whole change with it',
      async (field) => {
        const client = await createClient(app, ada);
        const changes = { name: 'Right', [field]: 'x' };
        const response = await app.patch(`/clients/${client._id}`, changes, ada);

        expect(response.status).toBe(400);
        expect(response.body.errors).toEqual({ [field]: [`property ${field} should not exist`] });
        expect(await read(client._id)).toEqual(client);
      },
    );
  });

  it("404: shows nothing of another user's client where nothing is to be changed", async () => {
    const { _id } = await createClient(app, ada);

    expect((await app.patch(`/clients/${_id}`, {}, bob)).status).toBe(404);
  });

  describe('409', () => {
    it('rejects an e-mail address that another client has, of the same or another user', async () => {
      const [client, other, bobs] = await Promise.all([
        createClient(app, ada),
        createClient(app, ada),
        createClient(app, bob),
      ]);
      for (const { email } of [other, bobs]) {
        const changes = { name: 'New', email: email.toUpperCase() };
        const response = await app.patch(`/clients/${client._id}`, changes, ada);

        expect(response.status).toBe(409);
        expect(response.body).toMatchObject({
          message: 'Client with this email already exists',
          code: 'CLIENT_EMAIL_TAKEN',
          field: 'email',
        });
      }
      expect(await read(client._id)).toEqual(client);
    });

    it('gives an e-mail address to one of ten clients that request it concurrently', async () => {
      const clients = await atOnce(10, () => createClient(app, ada));
      const responses = await atOnce(10, (i) =>
        app.patch(`/clients/${clients[i]!._id}`, { email: 'wanted@acme.example' }, ada),
      );

      expect(statusesOf(responses).sort()).toEqual([200, ...Array(9).fill(409)]);
    });
  });
});
