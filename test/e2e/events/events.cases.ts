import { EventRetention } from '../../../src/events/event-retention.job.js';
import { PROJECT_TASKS } from '../../../src/projects/project-task.js';
import { Store } from '../../../src/storage/store.js';
import { ClockCheck } from '../../../src/shared/time/clock-check.js';
import { EventsService } from '../../../src/events/events.service.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { Exports } from '../../../src/exports/exports.js';
import { LAPTOP } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';

interface Event {
  readonly _id: string;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly id: string | null };
}

describe('the events of an account', () => {
  const [app, ada] = useDeveloper();
  const listed = async (query: string) =>
    (await app.get(`/events?limit=100${query}`, ada)).body.data as Event[];
  const outline = (events: readonly { type: string; at: string }[]) =>
    events.map(({ type, at }) => `${type} ${at.slice(0, 19)}`);

  it('record what happened to a license, by whom and in which request, newest first', async () => {
    const license = await app.createLicense(ada);
    app.clock.advance({ seconds: 1 });
    const { machineId } = (await app.activate(license, LAPTOP)).body;
    app.clock.advance({ seconds: 1 });
    const renewal = await app.post(`/licenses/${license._id}/renew`, { duration: 1 }, ada);
    const { status, body } = await app.get(`/licenses/${license._id}/events`, ada);

    const subject = { type: 'license', id: license._id, name: `•••• ${license.key.slice(-4)}` };
    const user = { type: 'user', id: ada._id, name: expect.any(String) };
    const event = (type: string, second: number, data: unknown, actor: object = user) => {
      const at = `2026-01-31T10:15:0${second}.000Z`;
      return {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        ...{ type: `license.${type}`, at, storedAt: at, lastAt: null, count: 1 },
        ...{ subject, actor, data, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      };
    };
    const end = '2026-07-31T10:15:01.000Z';
    const machine = { type: 'machine', id: machineId, name: null };
    const renewed = { expiresAt: [end, '2026-08-31T10:15:01.000Z'], duration: 1, days: null };
    const data = [
      event('renewed', 2, renewed),
      event('activated', 1, { machineId, expiresAt: end }, machine),
      event('created', 0, expect.objectContaining({ project: license.project, duration: 6 })),
    ];
    expectResponse({ status, body }, 200, { data, nextCursor: null });
    expect(body.data[0].requestId).toBe(renewal.headers.get('x-request-id'));
    expect(JSON.stringify(body)).not.toContain(license.key);
  });

  it('omit a PATCH with the stored values, which returns the record unchanged', async () => {
    const { _id } = await app.createClient(ada);
    const { project, license } = await app.createProject(ada, _id);
    const terms = { duration: 1, services: ['Hosting'], entitlements: ['a', 'b'] };
    const { plan } = (await app.post('/plans', { name: 'Same', ...terms }, ada)).body;
    // No event, so no delivery can change it in the meantime.
    const quiet = { url: 'https://1.1.1.1/hook', types: ['webhook.disabled'] };
    const { webhook } = (await app.post('/webhooks', quiet, ada)).body;
    const own = { metadata: { a: 'b' }, externalId: 'order-1' };
    await app.patch(`/licenses/${license._id}`, own, ada);
    const before = await listed('');
    app.clock.advance({ seconds: 1 });
    const repeats: [path: string, stored: string[]][] = [
      [`/clients/${_id}`, ['name', 'email']],
      [`/projects/${project._id}`, ['name']],
      [`/plans/${plan._id}`, ['name', 'duration', 'services', 'entitlements', 'release']],
      [`/licenses/${license._id}`, ['services', 'maxMachines', 'metadata', 'externalId', 'plan']],
      [`/webhooks/${webhook._id}`, ['url', 'types', 'description', 'status']],
    ];
    for (const [path, fields] of repeats) {
      const { body: stored } = await app.get(path, ada);
      const { status, body } = await app.patch(path, pick(stored, fields), ada);
      expect([status, Object.values(body)]).toEqual([200, [expect.any(String), stored]]);
      expect((await app.get(path, ada)).body).toEqual(stored);
    }
    expect(await listed('')).toEqual(before);
    await app.delete(`/webhooks/${webhook._id}`, ada);
  });

  it('record each change of clients, projects and plans with its fields before and after', async () => {
    const client = await app.createClient(ada, { name: 'Acme Ltd' });
    const { project } = await app.createProject(ada, client._id);
    const terms = { name: `Plan of ${client._id}`, duration: 1, services: ['Hosting'] };
    const { plan } = (await app.post('/plans', terms, ada)).body;
    app.clock.advance({ seconds: 1 });
    await app.patch(`/clients/${client._id}`, { name: 'Acme GmbH' }, ada);
    await app.patch(`/projects/${project._id}`, { product: 'web-shop' }, ada);
    await app.patch(`/plans/${plan._id}`, { maxMachines: 5 }, ada);
    app.clock.advance({ seconds: 1 });
    await app.delete(`/plans/${plan._id}`, ada);
    await app.delete(`/projects/${project._id}`, ada);
    await app.delete(`/clients/${client._id}`, ada);
    const expected = [
      ['client', client._id, 'Acme GmbH', { name: ['Acme Ltd', 'Acme GmbH'] }],
      ['project', project._id, 'Web shop', { product: [null, 'web-shop'] }],
      ['plan', plan._id, terms.name, { maxMachines: [1, 5] }],
    ] as const;
    for (const [kind, id, name, changes] of expected) {
      const [deleted, updated, created] = await listed(`&subject=${id}`);
      expect(deleted).toMatchObject({ type: `${kind}.deleted`, subject: { type: kind, id, name } });
      expect(updated).toMatchObject({ type: `${kind}.updated`, data: changes });
      expect(created).toMatchObject({ type: `${kind}.created`, actor: { id: ada._id } });
    }
  });

  it('are listed in pages, filtered by type, subject, actor and time', async () => {
    const one = await app.createLicense(ada);
    app.clock.advance({ seconds: 1 });
    await app.addLicense(ada, one.project);
    app.clock.advance({ seconds: 1 });
    const { machineId } = (await app.activate(one, LAPTOP)).body;
    const all = await listed('');
    expect(await app.readPages<Event>('/events?limit=2', ada)).toEqual(all);
    const ofKind = (...kinds: string[]) =>
      all.filter(({ type }) => kinds.some((kind) => type.startsWith(kind)));
    expect(await listed('&type=license.*')).toEqual(ofKind('license.'));
    expect(await listed('&type=client.created&type=project.*')).toEqual(
      ofKind('client.created', 'project.'),
    );
    expect(outline(await listed(`&actor=${machineId}`))).toEqual([
      'license.activated 2026-01-31T10:15:02',
    ]);
    const day = '2026-01-31T10:15:0';
    const between = await listed(`&since=${day}1.000Z&until=${day}2.000Z`);
    expect(outline(between)).toEqual([`license.created ${day}1`]);
    for (const [query, field] of [
      [`?subject=${one._id}&actor=${ada._id}`, 'actor'],
      ['?type=license', 'type'],
      ['?type=license.created&type=nothing', 'type'],
      ['?since=yesterday', 'since'],
      ['?subject=x', 'subject'],
    ] as const) {
      expectInvalid(await app.get(`/events${query}`, ada), field);
    }
  });

  it('of logins, members, API keys and sessions are visible only to owners and admins', async () => {
    await app.createClient(ada);
    const key = await app.addApiKey(ada, ['events:read']);
    const [admin, viewer] = [await app.addMember(ada, 'admin'), await app.addMember(ada, 'viewer')];
    await app.logIn(ada);
    const kindsOf = (events: readonly Event[]) =>
      [...new Set(events.map(({ type }) => type.split('.')[0]))].sort();
    const kinds = async ({ token }: { token: string }, query = '') => {
      const all = await app.readPages<Event>(`/events?limit=1${query}`, { token });
      const exported = (await app.get(`/events.ndjson?${query}`, { token })).body as string;
      const lines = exported.split('\n').filter(Boolean);
      expect(kindsOf(lines.map((line) => JSON.parse(line) as Event))).toEqual(kindsOf(all));
      return kindsOf(all);
    };
    const everything = ['account', 'api_key', 'client', 'member'];
    expect(await kinds(ada)).toEqual(everything);
    expect(await kinds(admin)).toEqual(everything);
    for (const caller of [key, viewer, await app.addMember(ada, 'support')]) {
      expect(await kinds(caller)).toEqual(['client']);
      for (const query of ['&type=member.*&type=account.*', `&subject=${viewer._id}`]) {
        expect(await kinds(caller, query)).toEqual([]);
      }
    }
  });

  it('are exported as one JSON object per line, oldest first', async () => {
    const license = await app.createLicense(ada);
    app.clock.advance({ seconds: 1 });
    await app.activate(license, LAPTOP);
    const { headers, body } = await app.get('/events.ndjson?type=license.*', ada);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (body as string).trimEnd().split('\n');
    const exported = lines.map((line) => JSON.parse(line) as Event);
    expect(exported).toEqual((await listed('&type=license.*')).toReversed());
    expect(exported).toHaveLength(2);
    expectInvalid(await app.get('/events.ndjson?limit=5', ada), 'limit');
  });

  it('are not exported for an invalid query or while the store is down: the error is JSON, not a file', async () => {
    const exports = jest.spyOn(app.nest.get(Exports, { strict: false }), 'file');
    const invalid = await app.get(`/events.ndjson?subject=${ada._id}&actor=${ada._id}`, ada);
    expectInvalid(invalid, 'actor');
    expect(exports).not.toHaveBeenCalled();
    const reads = jest.spyOn(app.nest.get(EventsService, { strict: false }), 'list');
    reads.mockRejectedValueOnce(new DomainError('STORE_UNAVAILABLE'));
    const failed = await app.get('/events.ndjson', ada);
    expectError(failed, 'STORE_UNAVAILABLE');
    for (const { headers } of [invalid, failed]) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('content-disposition')).toBeNull();
    }
    jest.restoreAllMocks();
  });

  it('outlive the license and its project, and are removed after 400 days', async () => {
    const license = await app.createLicense(ada);
    for (let more = 0; more < 120; more++) await app.addLicense(ada, license.project);
    app.clock.advance({ seconds: 1 });
    expect((await app.delete(`/projects/${license.project}`, ada)).status).toBe(204);
    expectError(await app.get(`/licenses/${license._id}/events`, ada), 'LICENSE_NOT_FOUND');
    // The project's job continues after the response.
    const store = app.nest.get(Store, { strict: false });
    while ((await store.count(PROJECT_TASKS, {})) > 0) await new Promise(setImmediate);
    const deleted = await listed('&type=license.deleted&since=2026-01-31T10:15:01.000Z');
    expect(deleted.map(({ actor }) => actor.id)).toContain(ada._id);
    expect(outline(await listed(`&subject=${license._id}`))).toEqual([
      ...['license.deleted 2026-01-31T10:15:01', 'license.created 2026-01-31T10:15:00'],
    ]);
    const retention = app.nest.get(EventRetention, { strict: false });
    app.clock.set('2027-03-07T10:15:00.500Z');
    // 400 days in one step: the service waits for a day before it deletes anything.
    expect(await retention.step()).toBe(false);
    const clockCheck = app.nest.get(ClockCheck, { strict: false });
    jest.spyOn(clockCheck, 'mayDelete').mockResolvedValue(true);
    while (await retention.step()) await new Promise(setImmediate);
    Object.assign(ada, await app.logIn(ada));
    expect(outline(await listed(`&subject=${license._id}`))).toEqual([
      'license.deleted 2026-01-31T10:15:01',
    ]);
  });
});

const pick = (record: Record<string, unknown>, fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, record[field]]));
