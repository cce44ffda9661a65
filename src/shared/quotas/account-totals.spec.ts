import { ModelStore } from '../../../test/contract/model-store.js';
import { insert } from '../../storage/changes.js';
import type { Config } from '../config/config.js';
import { newAccountId } from '../ids.js';
import { AccountQuotas, newTotals, type Totals, TOTALS } from './account-totals.js';

// test/e2e/security/abuse-limits covers each kind's quota; other tests run without quotas.
describe('AccountQuotas', () => {
  const accountId = newAccountId();
  const quotas = { clients: 2, projects: 3, licenses: 4, idempotencyRecords: 5 };
  let store: ModelStore;
  let account: AccountQuotas;
  beforeEach(() => {
    store = new ModelStore();
    account = new AccountQuotas({ quotas } as Config, store);
  });

  /** Stores an account that exceeds its quotas because they were lowered. */
  const storeAccount = (totals: Partial<Totals> = {}) => {
    const over = { clientsCount: 3, projectsCount: 4, licensesCount: 5, ...totals };
    return store.commit([insert(TOTALS, { ...newTotals(accountId), ...over })]);
  };
  const subtract = (totals: Partial<Totals>) => store.commit([account.subtract(accountId, totals)]);
  /** The code that rejects an addition. */
  const rejectionOf = async (added: Partial<Totals>) => {
    const committed = await store.commit([account.add(accountId, added)]);
    if (committed.ok) return undefined;
    const rejected = account.requireCounted(committed.failed, accountId, added);
    return rejected.catch(({ code }: { code: string }) => code);
  };

  it('reports the project quota before the license quota', async () => {
    await storeAccount();
    const added = { licensesCount: 1, projectsCount: 1 };
    expect(await rejectionOf(added)).toBe('PROJECT_QUOTA_REACHED');
    await subtract({ projectsCount: 4 });
    expect(await rejectionOf(added)).toBe('LICENSE_QUOTA_REACHED');
  });

  it('accepts records of other kinds while over a lowered quota, and subtracts deleted records', async () => {
    await storeAccount({ clientsCount: 0 });
    expect(await rejectionOf({ clientsCount: 1 })).toBeUndefined();
    await subtract({ projectsCount: 1, licensesCount: 5 });
    const totals = { clientsCount: 1, projectsCount: 3, licensesCount: 0 };
    expect(store.all(TOTALS)).toMatchObject([totals]);
  });
});
