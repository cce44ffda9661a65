import { newAccountId } from '../shared/ids/account-id.js';
import type { CountQuery, DashboardRepository } from './dashboard.repository.js';
import { DashboardService } from './dashboard.service.js';

const NOW = new Date('2026-03-01T10:15:00.000Z');

describe('the summary of licenses', () => {
  const summarize = async (days: number, activations: { date: string; count: number }[] = []) => {
    let query: CountQuery | undefined;
    const repository = {
      countLicenses: (_user: string, counted: CountQuery) => {
        query = counted;
        const none = { pending: 0, active: 0, expired: 0, revoked: 0, expiringBy: [0, 0] };
        return Promise.resolve({ ...none, activations });
      },
    } as unknown as DashboardRepository;
    const service = new DashboardService(repository, { now: () => NOW });
    return { counts: await service.summarize(newAccountId(), days), query };
  };

  it('counts the licenses that expire within 7 and within 30 days', async () => {
    const { query } = await summarize(1);
    expect(query?.now).toEqual(NOW);
    expect(query?.expiringBy).toEqual([
      new Date('2026-03-08T10:15:00.000Z'),
      new Date('2026-03-31T10:15:00.000Z'),
    ]);
  });

  it.each([
    [1, '2026-03-01T00:00:00.000Z'],
    [2, '2026-02-28T00:00:00.000Z'],
    [90, '2025-12-02T00:00:00.000Z'],
  ])('counts the activations of %i days since %s, today included', async (days, since) => {
    const { counts, query } = await summarize(days);
    expect(query?.activatedSince).toEqual(new Date(since));
    expect(counts.activations).toHaveLength(days);
    expect(counts.activations.at(-1)).toEqual({ date: '2026-03-01', count: 0 });
  });

  it('includes the days without an activation, the oldest first', async () => {
    const { counts } = await summarize(3, [
      { date: '2026-02-27', count: 4 },
      { date: '2026-03-01', count: 1 },
    ]);
    expect(counts.activations).toEqual([
      { date: '2026-02-27', count: 4 },
      { date: '2026-02-28', count: 0 },
      { date: '2026-03-01', count: 1 },
    ]);
  });
});
