import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  addLicense,
  type Developer,
  logIn,
  registerDeveloper,
} from '../developer.js';
import { useApp } from '../use-app.js';

describe.each(ENGINES)('GET /dashboard/summary on %s', (engine) => {
  const app = useApp(engine);
  let ada: Developer;

  beforeEach(async () => {
    app.clock.set(START);
    ada = await registerDeveloper(app);
  });

  const at = async (time: string) => {
    app.clock.set(time);
    ada = await logIn(app, ada);
  };
  const summary = async (query = '', { token } = ada) => {
    const { status, body } = await app.get(`/dashboard/summary${query}`, { token });
    expect(status).toBe(200);
    return body;
  };
  const activations = async (query?: string) =>
    (await summary(query)).activationsPerDay as { date: string; count: number }[];

  it('is all zeros for a user that has nothing', async () => {
    const { activationsPerDay, ...numbers } = await summary();

    expect(numbers).toEqual({
      licensesByStatus: { PENDING: 0, ACTIVE: 0, EXPIRED: 0, REVOKED: 0 },
      expiringWithin7Days: 0,
      expiringWithin30Days: 0,
    });
    expect(activationsPerDay).toHaveLength(30);
  });

  it('counts each status as it is at that moment, up to the millisecond', async () => {
    const { project, license } = await createProject(app, ada, (await createClient(app, ada))._id, {
      duration: 1,
    });
    const others = await Promise.all(
      [1, 6, 6, 6].map((duration) => addLicense(app, ada, project._id, { duration })),
    );
    await Promise.all([license, ...others.slice(0, 2)].map((one) => activate(app, one)));
    await app.post(`/licenses/${others[2]!._id}/revoke`, {}, ada);
    const counts = async () => (await summary()).licensesByStatus;

    expect(await counts()).toEqual({ PENDING: 1, ACTIVE: 3, EXPIRED: 0, REVOKED: 1 });
    await at('2026-02-28T10:14:59.999Z');
    expect(await counts()).toEqual({ PENDING: 1, ACTIVE: 3, EXPIRED: 0, REVOKED: 1 });
    await at('2026-02-28T10:15:00.000Z');
    expect(await counts()).toEqual({ PENDING: 1, ACTIVE: 1, EXPIRED: 2, REVOKED: 1 });
    await app.post(`/licenses/${license._id}/renew`, { duration: 1 }, ada);
    await app.post(`/licenses/${others[0]!._id}/revoke`, {}, ada);
    expect(await counts()).toEqual({ PENDING: 1, ACTIVE: 2, EXPIRED: 0, REVOKED: 2 });
  });

  it('counts the active licenses that expire within 7 and 30 days', async () => {
    const license = await createLicense(app, ada, { duration: 2 });
    await activate(app, license);
    // PENDING ones expire at no time, whatever their expiresAt.
    await createLicense(app, ada, { duration: 2 });
    const expiring = async (time: string) => {
      await at(time);
      const { expiringWithin7Days, expiringWithin30Days } = await summary();
      return [expiringWithin7Days, expiringWithin30Days];
    };

    expect(await expiring('2026-03-01T10:14:59.999Z')).toEqual([0, 0]);
    expect(await expiring('2026-03-01T10:15:00.000Z')).toEqual([0, 1]);
    expect(await expiring('2026-03-24T10:14:59.999Z')).toEqual([0, 1]);
    expect(await expiring('2026-03-24T10:15:00.000Z')).toEqual([1, 1]);
    expect(await expiring('2026-03-31T10:14:59.999Z')).toEqual([1, 1]);
    expect(await expiring('2026-03-31T10:15:00.000Z')).toEqual([0, 0]);
  });

  it('counts the first activations of each day (UTC), days without one included', async () => {
    const licenses = await Promise.all(Array.from({ length: 5 }, () => createLicense(app, ada)));
    const [a, b, c, d, e] = licenses;
    app.clock.set('2026-02-25T23:59:59.999Z');
    await activate(app, a!);
    app.clock.set('2026-02-26T00:00:00.000Z');
    await Promise.all([activate(app, a!), activate(app, b!)]);
    app.clock.set('2026-02-26T23:59:59.999Z');
    await activate(app, c!);
    await at('2026-03-01T08:00:00.000Z');
    await activate(app, d!);
    await app.post(`/licenses/${c!._id}/revoke`, {}, ada);
    await app.post(`/licenses/${e!._id}/revoke`, {}, ada);

    const days = [
      { date: '2026-02-25', count: 1 },
      { date: '2026-02-26', count: 2 },
      { date: '2026-02-27', count: 0 },
      { date: '2026-02-28', count: 0 },
      { date: '2026-03-01', count: 1 },
    ];
    expect(await activations('?days=5')).toEqual(days);
    expect(await activations('?days=4')).toEqual(days.slice(1));
    expect(await activations('?days=1')).toEqual([{ date: '2026-03-01', count: 1 }]);
  });

  it('shows 30 days unless asked for 1 to 90, and ends with today', async () => {
    await at('2028-03-01T00:00:00.000Z');
    for (const [query, first, length] of [
      ['', '2028-02-01', 30],
      ['?days=1', '2028-03-01', 1],
      ['?days=90', '2027-12-03', 90],
    ] as const) {
      const days = await activations(query);
      expect(days).toHaveLength(length);
      expect([days[0]?.date, days.at(-1)?.date]).toEqual([first, '2028-03-01']);
    }
  });

  it("counts nothing of another user's", async () => {
    await activate(app, await createLicense(app, ada));
    const bob = await registerDeveloper(app);
    const { licensesByStatus, activationsPerDay } = await summary('', bob);

    expect(Object.values(licensesByStatus)).toEqual([0, 0, 0, 0]);
    expect(activationsPerDay.every(({ count }: { count: number }) => count === 0)).toBe(true);
  });

  it.each([
    'days=0',
    'days=91',
    'days=x',
    'days=1.5',
    'days=',
    'days=1&days=2',
    'days[$gt]=1',
    'x=1',
  ])('400: rejects ?%s', async (query) => {
    const response = await app.get(`/dashboard/summary?${query}`, ada);

    expect(response.status).toBe(400);
    expect(response.body.message).toBe('Validation error');
  });
});
