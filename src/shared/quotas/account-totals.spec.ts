import { ModelStore } from '../../../test/contract/model-store.js';
import { NO_QUOTAS } from '../../../test/no-limits.js';
import { insert } from '../../storage/changes.js';
import type { Config } from '../config/config.js';
import { newAccountId } from '../ids/account-id.js';
import { AccountQuotas, newTotals, type Totals, TOTALS } from './account-totals.js';

const QUOTAS = { clients: 2, projects: 3, licenses: 4, idempotencyRecords: 5 };
const FULL: Totals = { clientsCount: 2, projectsCount: 3, licensesCount: 4 };
const OVER: Totals = { clientsCount: 3, projectsCount: 4, licensesCount: 5 };

describe('AccountQuotas', () => {
  const accountId = newAccountId();

  /** An account with these totals; without any, it was deleted. */
  const accountWith = async (totals?: Totals, quotas = QUOTAS) => {
    const store = new ModelStore();
    if (totals) await store.commit([insert(TOTALS, { ...newTotals(accountId), ...totals })]);
    return { store, account: new AccountQuotas({ quotas } as Config, store) };
  };
  /** The code with which an addition is rejected; the totals where it is not. */
  const add = async (totals: Totals | undefined, added: Partial<Totals>, quotas = QUOTAS) => {
    const { store, account } = await accountWith(totals, quotas);
    const committed = await store.commit([account.add(accountId, added)]);
    if (!committed.ok) {
      const rejected = account.explain(committed.failed, accountId, added);
      return rejected.catch(({ code }: { code: string }) => code);
    }
    const { clientsCount, projectsCount, licensesCount } = store.all(TOTALS)[0]!;
    return { clientsCount, projectsCount, licensesCount };
  };

  it.each([
    ['clientsCount', 'CLIENT_QUOTA_REACHED'],
    ['projectsCount', 'PROJECT_QUOTA_REACHED'],
    ['licensesCount', 'LICENSE_QUOTA_REACHED'],
  ] as const)('accepts as many %s as the quota, and rejects one more', async (count, code) => {
    const before = { ...FULL, [count]: FULL[count] - 1 };
    expect(await add(before, { [count]: 1 })).toEqual(FULL);
    expect(await add(FULL, { [count]: 1 })).toBe(code);
  });

  it('reports the quota of projects before that of licenses', async () => {
    const added = { licensesCount: 1, projectsCount: 1 };
    expect(await add(FULL, added)).toBe('PROJECT_QUOTA_REACHED');
    expect(await add({ ...FULL, projectsCount: 0 }, added)).toBe('LICENSE_QUOTA_REACHED');
  });

  it('accepts additions of another kind above a lowered quota', async () => {
    const added = await add({ ...OVER, clientsCount: 0 }, { clientsCount: 1 });
    expect(added).toEqual({ ...OVER, clientsCount: 1 });
  });

  it('limits nothing where the quota is 0', async () => {
    expect(
      await add(FULL, { clientsCount: 1, projectsCount: 1, licensesCount: 1 }, NO_QUOTAS),
    ).toEqual(OVER);
  });

  it('subtracts deleted records, also above a lowered quota', async () => {
    const { store, account } = await accountWith(OVER);
    await store.commit([account.subtract(accountId, { projectsCount: 1, licensesCount: 5 })]);
    expect(store.all(TOTALS)).toMatchObject([
      { clientsCount: 3, projectsCount: 3, licensesCount: 0 },
    ]);
  });

  it('rejects an addition to a deleted account as unauthorized', async () => {
    expect(await add(undefined, { clientsCount: 1 })).toBe('UNAUTHORIZED');
  });
});
