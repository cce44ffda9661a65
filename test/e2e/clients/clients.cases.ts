import fs from 'node:fs';
import { Config } from '../../../src/shared/config/config.js';
import { backUpStore } from '../../../src/storage/sqlite/backup.js';
import { Sender } from '../../../src/webhooks/sending/sender.js';
import { LogTruncation } from '../../../src/storage/sqlite/log-truncation.js';
import { START } from '../../fake-clock.js';
import { expectError, expectInvalid, expectResponse } from '../responses.js';
import { contentOf } from '../stored-content.js';
import { useDeveloper } from '../use-app.js';
import { addWebhook, deliveriesOf, driveUntil } from '../webhooks/drive.js';

describe('The clients', () => {
  const [app, ada] = useDeveloper();

  const create = (changes: object) =>
    app.post('/clients', { name: 'Acme', email: 'v@acme.example', ...changes }, ada);
  const update = ({ _id }: { _id: string }, changes?: object | null) =>
    app.patch(`/clients/${_id}`, changes, ada);
  const read = async ({ _id }: { _id: string }) => (await app.get(`/clients/${_id}`, ada)).body;

  it('400: first requires name and address, then explains invalid values, and stores nothing', async () => {
    const client = await app.createClient(ada);
    for (const [code, changes] of [
      ['CLIENT_NAME_REQUIRED', { name: ' ', email: '' }],
      ['CLIENT_EMAIL_REQUIRED', { name: 'x'.repeat(201), email: null }],
    ] as const) {
      expectError(await create(changes), code);
      expectError(await update(client, changes), code);
    }
    for (const [field, value] of [
      ['email', 'not an address'],
      ['name', 'Ac\u0000me'],
      ['name', 'Acme \u202eetL'],
      ['name', '\u200b'],
    ] as const) {
      expectError(await create({ [field]: value }), 'VALIDATION_ERROR', {
        errors: { [field]: expect.arrayContaining([expect.any(String)]) },
        details: expect.stringMatching(new RegExp(`^${field} .*\\.$`)),
      });
      expectInvalid(await update(client, { name: 'Right', [field]: value }), field);
    }
    expectInvalid(await update(client, null), 'body');
    expect(await read(client)).toEqual(client);
    expectInvalid(await app.get('/clients/nonsense', ada), 'id');
  });

  it('are trimmed, with a lower-case address; an update changes only sent fields, and frees an old address', async () => {
    const created = await create({ name: ' Acme & So\u0308hne ', email: ' Office@ACME.Example ' });
    const { client } = created.body;
    expectResponse(created, 201, {
      message: 'Client created',
      client: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        ...{ name: 'Acme & S\u00f6hne', email: 'office@acme.example', owner: ada._id },
        ...{ createdAt: START, updatedAt: START },
      },
    });
    expect(await read(client)).toEqual(client);
    app.clock.advance({ seconds: 1 });
    for (const changes of [{}, undefined]) {
      expect((await update(client, changes)).body.client).toEqual(client);
    }
    const { email } = (await update(client, { email: 'OFFICE@acme.example' })).body.client;
    expect(email).toBe(client.email);
    const changes = { name: ' Globex ', email: ' New@Globex.Example ' };
    const { status, body } = await update(client, changes);

    expectResponse({ status, body }, 200, {
      message: 'Client updated',
      client: {
        ...{ ...client, name: 'Globex', email: 'new@globex.example' },
        updatedAt: app.clock.now().toISOString(),
      },
    });
    expect(await read(client)).toEqual(body.client);
    for (const query of ['search=LÖB', 'search=EW@', 'email=New@Globex.example']) {
      expect((await app.get(`/clients?${query}`, ada)).body.data).toEqual([body.client]);
    }
    await app.createProject(ada, client._id);
    const [listed] = (await app.get('/clients?search=EW@&licensesCount=true', ada)).body.data;
    expect(listed).toMatchObject({ _id: client._id, licensesCount: 1 });
    for (const email of ['ew@globex.example', ada.email]) {
      const { data, total } = (await app.get(`/clients?email=${email}&total=true`, ada)).body;
      expect([data, total]).toEqual([[], 0]);
    }
    const eve = await app.register();
    expect((await app.get('/clients?email=new@globex.example', eve)).body.data).toEqual([]);
    expect((await create({ email: client.email })).status).toBe(201);
  });

  it("S28: erasure leaves no byte of a client's names and addresses, even after deletion", async () => {
    const names = ['Quorum Zyx', 'quorum@zyx.example', 'Zyx-Former', 'former@zyx.example'];
    const webhook = await addWebhook(app, ada, 'http://127.0.0.1:4097/');
    // Receivers that repeat what they get.
    const sender = app.nest.get(Sender, { strict: false });
    jest.spyOn(sender, 'send').mockImplementation(async (_url, _headers, body) => ({
      ...{ responseStatus: 500, response: body, error: 'unexpected_status' as const },
    }));
    const [name, email, newName, newEmail] = names;
    const headers = { 'idempotency-key': 'erase' };
    const { client } = (await app.post('/clients', { name, email }, { ...ada, headers })).body;
    await update(client, { name: newName, email: newEmail });
    const { license } = await app.createProject(ada, client._id);
    await app.post(`/licenses/${license._id}/suspend`, {}, ada);
    const deliveries = async () => await deliveriesOf(app, ada, webhook);
    await driveUntil(app, async () => (await deliveries()).every(({ attempts }) => attempts > 0));
    const { _id: delivery } = (await deliveries())[0]!;
    const redelivery = `/webhooks/${webhook._id}/deliveries/${delivery}/redeliver`;
    await app.post(redelivery, {}, { ...ada, headers: { 'idempotency-key': 'again' } });
    const other = await app.createClient(ada);
    const paths = [`/clients/${client._id}/personal-data`, `/clients/${client._id}/erase`] as const;
    const about = (await app.get(paths[0], ada)).body;
    expect(about).toMatchObject({ client: { name: newName, email: newEmail } });
    expect(JSON.stringify(about.events)).toContain(email);

    for (const _repeated of [1, 2]) {
      expectResponse(await app.post(paths[1], undefined, ada), 200, {
        message: 'Personal data erased',
      });
    }
    await app.nest.get(LogTruncation, { strict: false }).step();
    const { dataDir } = app.nest.get(Config);
    await backUpStore(dataDir, `${dataDir}/backup`);
    const stored = contentOf(dataDir).toLowerCase();
    fs.rmSync(`${dataDir}/backup`);
    expect(names.filter((one) => stored.includes(one.toLowerCase()))).toEqual([]);
    expect(stored).toContain(other.email);
    const { events } = (await app.get(paths[0], ada)).body;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      ...['client.erased', 'client.updated', 'client.created'],
    ]);
    expect(events[1].data).toEqual({
      name: ['[erased]', '[erased]'],
      email: ['[erased]', '[erased]'],
    });
    expect((await app.get(`/licenses/${license._id}`, ada)).body.clientName).toBe('[erased]');
    expect((await app.post('/clients', { name, email }, { ...ada, headers })).body.client._id).toBe(
      client._id,
    );

    await app.delete(`/clients/${other._id}`, ada);
    const deleted = `/clients/${other._id}/erase`;
    expect((await app.post(deleted, undefined, ada)).status).toBe(200);
    const left = (await app.get(`/clients/${other._id}/personal-data`, ada)).body;
    expect(left.client.name).toBe('[erased]');
    expect(JSON.stringify(left)).not.toContain(other.email);
    expectError(await app.post(deleted, undefined, await app.register()), 'CLIENT_NOT_FOUND');
  });

  it('are sorted by name, ignoring case and accents, or newest first', async () => {
    const names = ['beta', 'Ölmühle', 'acme', 'Zeta', 'Acme', '株式会社', 'oval'];
    for (const name of names) {
      app.clock.advance({ seconds: 1 });
      await app.createClient(ada, { name });
    }
    const namesBy = async (sorting: string) => {
      const found: string[] = [];
      for (let next = ''; found.length === 0 || next !== '';) {
        const { body } = await app.get(`/clients?limit=2&${sorting}${next}`, ada);
        found.push(...body.data.map(({ name }: { name: string }) => name));
        next = body.nextCursor ? `&cursor=${body.nextCursor}` : '';
      }
      return found;
    };
    const byName = ['acme', 'Acme', 'beta', 'Ölmühle', 'oval', 'Zeta', '株式会社'];
    expect(await namesBy('sort=name')).toEqual(byName);
    expect(await namesBy('sort=name&order=desc')).toEqual(byName.toReversed());
    expect(await namesBy('sort=name&search=ETA')).toEqual(['beta', 'Zeta']);
    expect(await namesBy('')).toEqual(names.toReversed());
    expect(await namesBy('order=asc')).toEqual(names);
  });

  // Every form of a limit and of a cursor is covered in src/shared/pagination.
  it('400: a list names the parameter that has an invalid value', async () => {
    for (const path of [
      ...['/clients?limit=101', '/clients?search=', '/clients?search=%00', '/projects?cursor=x'],
      ...['/projects?clientId=x', '/projects?product=web%20shop', '/licenses?status=active'],
      ...['/licenses?projectId=', '/licenses?expiresBefore=2026-02-28', '/licenses?sort=keyHash'],
      ...['/licenses?product=', '/dashboard?limit=21', '/dashboard?clientId=x'],
      ...['/dashboard?search=', '/dashboard/summary?days=0', '/dashboard/summary?days=91'],
      ...['/events?limit=101', '/clients?sort=email', '/clients?order=up'],
    ]) {
      expectInvalid(await app.get(path, ada), /\?(\w+)/.exec(path)![1]!);
    }
  });

  it('400: a cursor is rejected by every other list, and by its own list in another order', async () => {
    const client = await app.createClient(ada);
    for (let i = 0; i < 2; i++) await app.createProject(ada, client._id);
    await app.createClient(ada);
    const lists = [
      '/clients?',
      '/clients?sort=name&',
      '/projects?',
      '/licenses?',
      '/licenses?order=asc&',
      '/events?',
    ];
    for (const list of [...lists, '/licenses?sort=expiresAt&']) {
      const { nextCursor } = (await app.get(`${list}limit=1`, ada)).body;
      for (const other of [...lists, '/dashboard?'].filter((one) => one !== list)) {
        expectInvalid(await app.get(`${other}cursor=${nextCursor}`, ada), 'cursor');
      }
    }
  });
});
