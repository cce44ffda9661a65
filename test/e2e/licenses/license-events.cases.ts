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
    await post('revoke', old);
    await post('renew', old, { duration: 1 });
    await post('reissue', old);

    expect(await outlineOf(old)).toEqual([
      ...['reissued 2026-01-31T10:15:01', 'created 2026-01-31T10:15:00'],
    ]);
    expect(await outlineOf(license)).toEqual(['created 2026-01-31T10:15:01']);
  });

  it('counts rejected activations by reason and day, with the last time and machine', async () => {
    const license = await createLicense(app, ada, { duration: 1 });
    const { machineId } = (await activate(app, license, LAPTOP)).body;
    await moveTo(app, ada, '2026-02-01T00:00:00.000Z');
    for (let i = 0; i < 3; i++) await activate(app, license, `${THIEF} ${i}`);
    app.clock.set('2026-02-01T23:59:59.999Z');
    await activate(app, license, THIEF);
    app.clock.set('2026-02-02T00:00:00.000Z');
    await activate(app, license, THIEF);
    await moveTo(app, ada, '2026-02-28T10:15:00.000Z');
    await activate(app, license, LAPTOP);
    app.clock.advance({ seconds: 1 });
    await post('revoke', license);
    await activate(app, license, LAPTOP);
    const events = await eventsOf(license);
    const rejected = events.filter(({ type }) => type === 'activation_rejected');
    const thief = rejected[2]!.machineId;

    expect(thief).not.toBe(machineId);
    expect(
      rejected.map(({ at, reason, count, ...of }) => [at, reason, count, of.machineId]),
    ).toEqual([
      ['2026-02-28T10:15:01.000Z', 'revoked', 1, machineId],
      ['2026-02-28T10:15:00.000Z', 'expired', 1, machineId],
      ['2026-02-02T00:00:00.000Z', 'other_machine', 1, thief],
      ['2026-02-01T23:59:59.999Z', 'other_machine', 4, thief],
    ]);
  });

  it('shows the end of each term from its millisecond on, and each event once while new ones come between the pages', async () => {
    const license = await createLicense(app, ada, { duration: 1 });
    await activate(app, license);
    await moveTo(app, ada, '2026-02-28T10:14:59.999Z');
    expect(await outlineOf(license)).toHaveLength(2);
    await moveTo(app, ada, '2026-03-05T00:00:00.000Z');
    await post('renew', license, { duration: 2 });
    await moveTo(app, ada, '2026-07-01T00:00:00.000Z');
    const events = await eventsOf(license);

    expect((await outlineOf(license)).slice(0, -2)).toEqual([
      ...['expired 2026-05-05T00:00:00', 'renewed 2026-03-05T00:00:00'],
      'expired 2026-02-28T10:15:00',
    ]);
    const path = `/licenses/${license._id}/events?limit=1`;
    const shown = await readPages(app, path, ada, async () => {
      app.clock.advance({ seconds: 1 });
      await post('renew', license, { duration: 1 });
    });
    expect(shown).toEqual(events);
  });

  it('GET /events shows those of all licenses of the account with license and project, page by page', async () => {
    const bob = await registerDeveloper(app);
    const [one, two] = [await createLicense(app, bob), await createLicense(app, bob)];
    app.clock.advance({ seconds: 1 });
    await activate(app, one, LAPTOP);
    const events = await readPages<Event>(app, '/events?limit=1', bob);
    const ofLicenses = [];
    for (const { _id, project } of [one, two]) {
      const own = await readPages<Event>(app, `/licenses/${_id}/events`, bob);
      ofLicenses.push(...own.map((event) => ({ ...event, license: _id, project })));
    }

    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject({ type: 'activated', license: one._id, project: one.project });
    for (const event of ofLicenses) expect(events).toContainEqual(event);
    expectInvalid(await app.get('/events?cursor=x', bob), 'cursor');
  });

  it("400: rejects a wrong limit, and the cursor of another license's events", async () => {
    const [one, other] = [await createLicense(app, ada), await createLicense(app, ada)];
    await activate(app, one);
    const { nextCursor } = (await app.get(`/licenses/${one._id}/events?limit=1`, ada)).body;
    const path = `/licenses/${other._id}/events`;

    expectInvalid(await app.get(`${path}?cursor=${nextCursor}`, ada), 'cursor');
    expectInvalid(await app.get(`${path}?limit=0`, ada), 'limit');
  });
});
