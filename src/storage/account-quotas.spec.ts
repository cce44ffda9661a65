import { isNearQuota, requireWithinQuotas } from './account-quotas.js';

const QUOTAS = { clients: 2, projects: 3, licenses: 4, idempotencyRecords: 5 };
const FULL = { clientsCount: 2, projectsCount: 3, licensesCount: 4 };
const OVER = { clientsCount: 3, projectsCount: 4, licensesCount: 5 };
const NONE = { clients: 0, projects: 0, licenses: 0, idempotencyRecords: 0 };

describe('isNearQuota', () => {
  const [licensesCount, added] = [FULL.licensesCount, { licensesCount: 1 }];

  it('says whether as many more records could exceed a quota', () => {
    const totals = { ...FULL, licensesCount: licensesCount - 2 };
    expect(isNearQuota(QUOTAS, totals, added, 2)).toBe(false);
    expect(isNearQuota(QUOTAS, totals, added, 3)).toBe(true);
  });

  it('concerns only the quotas of the kinds that are added', () => {
    expect(isNearQuota(QUOTAS, { ...FULL, licensesCount: 0 }, added, 4)).toBe(false);
    expect(isNearQuota(NONE, FULL, added, 1_000)).toBe(false);
  });
});

describe('requireWithinQuotas', () => {
  const check = (totals: typeof FULL, added: Partial<typeof FULL>, quotas = QUOTAS) => {
    return () => requireWithinQuotas(quotas, totals, added);
  };

  it.each([
    ['clientsCount', 'CLIENT_QUOTA_REACHED'],
    ['projectsCount', 'PROJECT_QUOTA_REACHED'],
    ['licensesCount', 'LICENSE_QUOTA_REACHED'],
  ] as const)('accepts as many %s as the quota, and rejects one more', (count, code) => {
    expect(check(FULL, { [count]: 1 })).not.toThrow();
    expect(check({ ...FULL, [count]: OVER[count] }, { [count]: 1 })).toThrow(
      expect.objectContaining({ code }) as Error,
    );
  });

  it('reports the quota of projects before that of licenses', () => {
    expect(check(OVER, { licensesCount: 1, projectsCount: 1 })).toThrow(
      expect.objectContaining({ code: 'PROJECT_QUOTA_REACHED' }) as Error,
    );
  });

  it('accepts a deletion, and additions of another kind, above a lowered quota', () => {
    expect(check(OVER, { projectsCount: -1, licensesCount: -7 })).not.toThrow();
    expect(check({ ...FULL, licensesCount: 9 }, { clientsCount: 1 })).not.toThrow();
  });

  it('limits nothing where the quota is 0', () => {
    expect(
      check(OVER, { clientsCount: 1, projectsCount: 1, licensesCount: 1 }, NONE),
    ).not.toThrow();
  });
});
