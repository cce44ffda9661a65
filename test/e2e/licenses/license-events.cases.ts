import { START } from '../../fake-clock.js';
import { activate, createLicense, LAPTOP, moveTo, registerDeveloper } from '../developer.js';
import { expectInvalid, expectResponse } from '../expect-response.js';
import { readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

const THIEF = 'laptop-of-somebody-else';

interface Event {
  readonly _id: string;
  readonly type: string;
  readonly at: string;
  readonly machineId: string | null;
  readonly reason: string | null;
  readonly count: number;
}

describe('GET /licenses/:id/events', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  beforeEach(() => moveTo(app, ada, START));

  const post = (action: string, { _id }: { _id: string }, body: object = {}) =>
    app.post(`/licenses/${_id}/${action}`, body, ada);
  const eventsOf = ({ _id }: { _id: string }, limit = 100) =>
    readPages<Event>(app, `/licenses/${_id}/events?limit=${limit}`, ada);
  const outlineOf = async (license: { _id: string }) =>
    (await eventsOf(license)).map(({ type, at }) => `${type} ${at.slice(0, 19)}`);

  it('shows what happened to a license with who did it, the newest first', async () => {
    const license = await createLicense(app, ada);
    app.clock.advance({ seconds: 1 });
    const { machineId } = (await activate(app, license, LAPTOP)).body;
    app.clock.advance({ seconds: 1 });
    await post('renew', license, { duration: 1 });
    app.clock.advance({ seconds: 1 });
    await post('revoke', license, { reason: ' Contract ended ' });
    const { status, body } = await app.get(`/licenses/${license._id}/events`, ada);

    const event = (type: string, second: number, fields: object = {}) => ({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...{ type, at: `2026-01-31T10:15:0${second}.000Z`, actor: ada._id, machineId: null },
      ...{ reason: null, count: 1, certificateExpiresAt: null, ...fields },
    });
    const data = [
      event('revoked', 3, { reason: 'Contract ended' }),
      event('renewed', 2),
      event('activated', 1, { actor: null, machineId }),
      event('created', 0),
    ];
    expectResponse({ status, body }, 200, { data, nextCursor: null });
  });

  it('shows a reissue on the old license, a creation on the new one, and nothing for what changed nothing', async () => {
    const old = await createLicense(app, ada);
    app.clock.advance({ seconds: 1 });
    const { license } = (await post('reissue', old)).body;
    await app.post('/validate', { key: old.key, fingerprint: THIEF });
    for (const action of ['revoke', 'reissue']) await post(action, old);

    expect(await outlineOf(old)).toEqual([
      ...['reissued 2026-01-31T10:15:01', 'created 2026-01-31T10:15:00'],
    ]);
    expect(await outlineOf(license)).toEqual(['created 2026-01-31T10:15:01']);
  });

  it('counts rejected activations by reason and day, with the last time and machine', async () => {
    const license = await createLicense(app, ada, { duration: 1 });
    await activate(app, license, LAPTOP);
    await moveTo(app, ada, '2026-02-01T00:00:00.000Z');
    await activate(app, license, `${THIEF} 1`);
    await moveTo(app, ada, '2026-02-01T23:59:59.999Z');
    const before = await eventsOf(license);
    await activate(app, license, THIEF);
    app.clock.set('2026-02-02T00:00:00.000Z');
    await activate(app, license, THIEF);
    const [next, counted] = await eventsOf(license);

    expect(counted).toMatchObject({ type: 'activation_rejected', reason: 'other_machine' });
    expect(counted).toMatchObject({ at: '2026-02-01T23:59:59.999Z', count: 2 });
    expect(counted).toMatchObject({ _id: before[0]!._id, machineId: next!.machineId });
    expect(before[0]!.machineId).not.toBe(next!.machineId);
    expect(next).toMatchObject({ at: '2026-02-02T00:00:00.000Z', count: 1 });
  });

  it('shows the end of each term from its millisecond on, and each event once while new ones come between the pages', async () => {
    const license = await createLicense(app, ada, { duration: 1 });
    await activate(app, license);
    await moveTo(app, ada, '2026-02-28T10:14:59.999Z');
    expect(await outlineOf(license)).toHaveLength(2);
    await moveTo(app, ada, '2026-02-28T10:15:00.000Z');
    expect((await outlineOf(license))[0]).toBe('expired 2026-02-28T10:15:00');
    const events = await eventsOf(license);

    const path = `/licenses/${license._id}/events?limit=1`;
    const shown = await readPages(app, path, ada, async () => {
      app.clock.advance({ seconds: 1 });
      await post('renew', license, { duration: 1 });
    });
    expect(shown).toEqual(events);
    const { nextCursor } = (await app.get(path, ada)).body;
    const { _id } = await createLicense(app, ada);
    const other = await app.get(`/licenses/${_id}/events?cursor=${nextCursor}`, ada);
    expectInvalid(other, 'cursor');
  });

  it('GET /events shows those of all licenses of the account and of no other, newest first, page by page', async () => {
    const [bob, eve] = [await registerDeveloper(app), await registerDeveloper(app)];
    const one = await createLicense(app, bob);
    await createLicense(app, eve);
    app.clock.advance({ seconds: 1 });
    const two = await createLicense(app, bob);
    app.clock.advance({ seconds: 1 });
    await activate(app, one, LAPTOP);
    const ofLicenses = [];
    for (const { _id, project } of [one, two]) {
      const own = await readPages<Event>(app, `/licenses/${_id}/events`, bob);
      ofLicenses.push(...own.map((event) => ({ ...event, license: _id, project })));
    }
    const [activated, created, ofTwo] = ofLicenses;

    const expected = [activated, ofTwo, created];
    expect((await app.get('/events?limit=2', bob)).body.data).toEqual(expected.slice(0, 2));
    for (const limit of [1, 2, 3]) {
      expect(await readPages<Event>(app, `/events?limit=${limit}`, bob)).toEqual(expected);
    }
  });
});
