import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { activate, createLicense, type Developer, logIn, registerDeveloper } from '../developer.js';
import { readPages } from '../pages.js';
import { useApp } from '../use-app.js';

const LAPTOP = 'laptop-of-the-customer';
const THIEF = 'laptop-of-somebody-else';

interface Event {
  readonly _id: string;
  readonly type: string;
  readonly at: string;
  readonly reason: string | null;
  readonly count: number;
}

describe.each(ENGINES)('GET /licenses/:id/events on %s', (engine) => {
  const app = useApp(engine);
  let ada: Developer;

  beforeAll(async () => {
    ada = await registerDeveloper(app);
  });
  beforeEach(async () => {
    app.clock.set(START);
    ada = await logIn(app, ada);
  });

  const at = async (time: string) => {
    app.clock.set(time);
    ada = await logIn(app, ada);
  };
  const post = (action: string, { _id }: { _id: string }, body: object = {}) =>
    app.post(`/licenses/${_id}/${action}`, body, ada);
  const eventsOf = ({ _id }: { _id: string }, limit = 100) =>
    readPages<Event>(app, `/licenses/${_id}/events?limit=${limit}`, ada);
  const outline = (events: Event[]) => events.map(({ type, at: time }) => `${type} ${time}`);

  it('shows what happened to a license with who did it, the newest first', async () => {
    const license = await createLicense(app, ada);
    app.clock.advance({ seconds: 1 });
    const { machineId } = (await activate(app, license, LAPTOP)).body;
    app.clock.advance({ seconds: 1 });
    await post('renew', license, { duration: 1 });
    app.clock.advance({ seconds: 1 });
    await post('revoke', license, { reason: ' Contract ended ' });
    const response = await app.get(`/licenses/${license._id}/events`, ada);

    const _id = expect.stringMatching(/^[0-9a-f]{24}$/);
    const nothing = {
      ...{ _id, actor: ada._id, machineId: null, reason: null, count: 1 },
      certificateExpiresAt: null,
    };
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      data: [
        {
          ...nothing,
          type: 'revoked',
          at: '2026-01-31T10:15:03.000Z',
          reason: 'Contract ended',
        },
        { ...nothing, type: 'renewed', at: '2026-01-31T10:15:02.000Z' },
        { ...nothing, type: 'activated', at: '2026-01-31T10:15:01.000Z', actor: null, machineId },
        { ...nothing, type: 'created', at: START },
      ],
      nextCursor: null,
    });
  });

  it('shows a reissue on the old license, and a creation on the new one', async () => {
    const old = await createLicense(app, ada);
    app.clock.advance({ seconds: 1 });
    const { license } = (await post('reissue', old)).body;

    expect(outline(await eventsOf(old))).toEqual([
      'reissued 2026-01-31T10:15:01.000Z',
      `created ${START}`,
    ]);
    expect(outline(await eventsOf(license))).toEqual(['created 2026-01-31T10:15:01.000Z']);
  });

  it('shows no event for a request that changed nothing', async () => {
    const license = await createLicense(app, ada);
    await activate(app, license, LAPTOP);
    await post('revoke', license);
    const before = await eventsOf(license);
    await app.post('/validate', { key: license.key, fingerprint: THIEF });
    await post('revoke', license);
    await post('renew', license, { duration: 1 });
    await post('reissue', license);

    expect(await eventsOf(license)).toEqual(before);
  });

  it('counts rejected activations by reason and day, with the last time and machine', async () => {
    const license = await createLicense(app, ada, { duration: 1 });
    const { machineId } = (await activate(app, license, LAPTOP)).body;
    await activate(app, license, LAPTOP);
    await at('2026-02-01T00:00:00.000Z');
    for (let i = 0; i < 3; i++) await activate(app, license, `${THIEF} ${i}`);
    await at('2026-02-01T23:59:59.999Z');
    await Promise.all(Array.from({ length: 4 }, () => activate(app, license, THIEF)));
    await at('2026-02-02T00:00:00.000Z');
    await activate(app, license, THIEF);
    await at('2026-02-28T10:15:00.000Z');
    await activate(app, license, LAPTOP);
    app.clock.advance({ seconds: 1 });
    await post('revoke', license);
    app.clock.advance({ seconds: 1 });
    await activate(app, license, LAPTOP);
    const events = await eventsOf(license);
    const rejected = events.filter(({ type }) => type === 'activation_refused');

    expect(rejected.map(({ at: time, reason, count }) => [time, reason, count])).toEqual([
      ['2026-02-28T10:15:02.000Z', 'revoked', 1],
      ['2026-02-28T10:15:00.000Z', 'expired', 1],
      ['2026-02-02T00:00:00.000Z', 'other_machine', 1],
      ['2026-02-01T23:59:59.999Z', 'other_machine', 7],
    ]);
    expect(rejected[0]).toMatchObject({ actor: null, machineId });
    expect(rejected[3]).toMatchObject({ machineId: (rejected[2] as object as Machine).machineId });
    expect((rejected[3] as object as Machine).machineId).not.toBe(machineId);
  });

  it('shows the end of each term, earlier ones included, from its millisecond on', async () => {
    const license = await createLicense(app, ada, { duration: 1 });
    await activate(app, license);
    await at('2026-02-28T10:14:59.999Z');
    expect(outline(await eventsOf(license))).not.toContain('expired 2026-02-28T10:15:00.000Z');
    await at('2026-02-28T10:15:00.000Z');
    expect(outline(await eventsOf(license))).toContain('expired 2026-02-28T10:15:00.000Z');
    await at('2026-03-05T00:00:00.000Z');
    await post('renew', license, { duration: 1 });
    await post('renew', license, { duration: 1 });
    await at('2026-07-01T00:00:00.000Z');
    await post('renew', license, { duration: 2 });
    await at('2026-12-01T00:00:00.000Z');
    await post('revoke', license);
    const events = await eventsOf(license);

    expect(outline(events)).toEqual([
      'revoked 2026-12-01T00:00:00.000Z',
      'expired 2026-09-01T00:00:00.000Z',
      'renewed 2026-07-01T00:00:00.000Z',
      'expired 2026-05-05T00:00:00.000Z',
      'renewed 2026-03-05T00:00:00.000Z',
      'renewed 2026-03-05T00:00:00.000Z',
      'expired 2026-02-28T10:15:00.000Z',
      `activated ${START}`,
      `created ${START}`,
    ]);
    for (const limit of [1, 2, 3, 4]) expect(await eventsOf(license, limit)).toEqual(events);
  });

  it('shows no end of a term that was revoked or renewed before it, nor of a PENDING license', async () => {
    const [revoked, renewed, pending] = await Promise.all(
      [1, 1, 1].map((duration) => createLicense(app, ada, { duration })),
    );
    await Promise.all([activate(app, revoked!), activate(app, renewed!)]);
    await Promise.all([post('revoke', revoked!), post('renew', renewed!, { duration: 12 })]);
    await at('2026-12-01T00:00:00.000Z');

    for (const license of [revoked, renewed, pending]) {
      const types = (await eventsOf(license!)).map(({ type }) => type);
      expect(types).not.toContain('expired');
    }
  });

  it('shows each event once while new ones come between the pages', async () => {
    const license = await createLicense(app, ada, { duration: 1 });
    await activate(app, license);
    await at('2026-02-10T00:00:00.000Z');
    await activate(app, license, THIEF);
    await at('2026-03-10T00:00:00.000Z');
    const before = await eventsOf(license);
    app.clock.advance({ seconds: 1 });
    const path = `/licenses/${license._id}/events?limit=1`;
    const shown = await readPages(app, path, ada, async () => {
      app.clock.advance({ seconds: 1 });
      await post('renew', license, { duration: 1 });
    });

    expect(before).toHaveLength(4);
    expect(shown).toEqual(before);
  });

  it.each(['limit=0', 'cursor=x', 'cursor[$ne]=', 'type=created'])(
    '400: rejects ?%s',
    async (query) => {
      const { _id } = await createLicense(app, ada);

      expect((await app.get(`/licenses/${_id}/events?${query}`, ada)).status).toBe(400);
    },
  );

  it("400: rejects the cursor of another license's events", async () => {
    const [one, other] = await Promise.all([createLicense(app, ada), createLicense(app, ada)]);
    await activate(app, one);
    const { body } = await app.get(`/licenses/${one._id}/events?limit=1`, ada);
    const path = `/licenses/${other._id}/events?cursor=${body.nextCursor}`;

    expect((await app.get(path, ada)).status).toBe(400);
  });
});

interface Machine {
  readonly machineId: string | null;
}
