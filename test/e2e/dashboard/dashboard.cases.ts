import { useDeveloper } from '../use-app.js';

describe('The dashboard', () => {
  const [app, ada] = useDeveloper();

  const at = (time: string) => app.moveTo(ada, time);
  const summary = async (query = '') => {
    const { status, body } = await app.get(`/dashboard/summary${query}`, ada);
    expect(status).toBe(200);
    return body;
  };

  it('GET /dashboard/summary counts each status and licenses expiring within 7 and 30 days, to the millisecond', async () => {
    const client = await app.createClient(ada);
    const { project, license } = await app.createProject(ada, client._id, { duration: 1 });
    // One stays PENDING and never expires, regardless of its expiresAt.
    const others = [];
    for (const duration of [6, 6, 1]) {
      others.push(await app.addLicense(ada, project._id, { duration }));
    }
    for (const one of [license, others[0]!]) await app.activate(one);
    await app.post(`/licenses/${others[1]!._id}/revoke`, {}, ada);
    const counts = async () => {
      const { licensesByStatus, expiringWithin7Days, expiringWithin30Days } = await summary();
      const { PENDING, ACTIVE, EXPIRED, SUSPENDED, REVOKED } = licensesByStatus;
      const statuses = [PENDING, ACTIVE, EXPIRED, SUSPENDED, REVOKED];
      return [...statuses, expiringWithin7Days, expiringWithin30Days];
    };

    await at('2026-02-21T10:14:59.999Z');
    expect(await counts()).toEqual([1, 2, 0, 0, 1, 0, 1]);
    await at('2026-02-21T10:15:00.000Z');
    expect(await counts()).toEqual([1, 2, 0, 0, 1, 1, 1]);
    await at('2026-02-28T10:15:00.000Z');
    expect(await counts()).toEqual([1, 1, 1, 0, 1, 0, 0]);
    await app.post(`/licenses/${license._id}/renew`, { duration: 1 }, ada);
    expect(await counts()).toEqual([1, 2, 0, 0, 1, 0, 1]);
  });

  it('GET /dashboard/summary counts the first activations of each day (UTC), including days without any', async () => {
    const [a, b] = [await app.createLicense(ada), await app.createLicense(ada)];
    app.clock.set('2026-02-25T23:59:59.999Z');
    await app.activate(a);
    app.clock.set('2026-02-26T00:00:00.000Z');
    await app.activate(a);
    await app.activate(b);
    await at('2026-02-28T08:00:00.000Z');
    await app.activate(await app.createLicense(ada));
    await app.post(`/licenses/${b._id}/revoke`, {}, ada);
    const days = [
      { date: '2026-02-25', count: 1 },
      { date: '2026-02-26', count: 1 },
      { date: '2026-02-27', count: 0 },
      { date: '2026-02-28', count: 1 },
    ];

    expect((await summary('?days=4')).activationsPerDay).toEqual(days);
    expect((await summary('?days=1')).activationsPerDay).toEqual(days.slice(-1));
    const month = (await summary()).activationsPerDay;
    expect([month.length, month[0].date]).toEqual([30, '2026-01-30']);
  });
});
