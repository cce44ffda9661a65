import { createClient } from '../developer.js';
import { expectError, expectInvalid } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('PATCH /clients/:id', () => {
  const app = useApp();
  const ada = useDeveloper(app);
  const bob = useDeveloper(app);
  let client: Awaited<ReturnType<typeof createClient>>;

  beforeEach(async () => {
    client = await createClient(app, ada);
    app.clock.advance({ seconds: 1 });
  });

  const update = (changes?: object) => app.patch(`/clients/${client._id}`, changes, ada);
  const read = async () => (await app.get(`/clients/${client._id}`, ada)).body;

  it.each([
    ['the name', { name: ' Globex ' }, { name: 'Globex' }],
    ['the address', { email: ' New@Globex.Example ' }, { email: 'new@globex.example' }],
  ])('200: changes %s, and leaves the rest as it is', async (_case, changes, changed) => {
    const { status, body } = await update(changes);
    const updatedAt = app.clock.now().toISOString();

    expect([status, body.message]).toEqual([200, 'Client updated successfully']);
    expect(body.client).toEqual({ ...client, ...changed, updatedAt });
    expect(await read()).toEqual(body.client);
  });

  it("200: changes nothing without fields, accepts the client's own address, and frees an old one for another client", async () => {
    for (const changes of [{}, undefined]) {
      const { status, body } = await update(changes);
      expect([status, body.client]).toEqual([200, client]);
    }
    const same = await update({ email: client.email.toUpperCase() });
    expect(same.body.client.email).toBe(client.email);
    await update({ email: 'moved@acme.example' });
    expect((await app.post('/clients', { ...client, name: 'Heir' }, bob)).status).toBe(201);
  });

  it.each([
    [{ name: null }, 'Client name required'],
    [{ email: ' ' }, 'Client email required'],
  ])('400: rejects emptying a field: %j', async (changes, message) => {
    const { status, body } = await update(changes);

    expect([status, body.message]).toEqual([400, message]);
    expect(await read()).toEqual(client);
  });

  it.each([
    ['name', 'x'.repeat(201)],
    ['email', 'not an address'],
    ['nmae', 'a typing error'],
  ])('400: names `%s`, and changes nothing: %j', async (field, value) => {
    expectInvalid(await update({ name: 'Right', [field]: value }), field);
    expect(await read()).toEqual(client);
  });

  it('409: rejects an address that another client has, of the same or another user', async () => {
    for (const user of [ada, bob]) {
      const { email } = await createClient(app, user);
      const response = await update({ name: 'New', email: email.toUpperCase() });
      expectError(response, [409, 'CLIENT_EMAIL_TAKEN'], {
        ...{ message: 'Client with this email already exists', field: 'email' },
      });
    }
    expect(await read()).toEqual(client);
  });
});
