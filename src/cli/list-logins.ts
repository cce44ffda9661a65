import { type User, USERS } from '../auth/accounts/user.js';
import { type AccountTotals, newTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { Store } from '../storage/store.js';
import { withStore } from './with-store.js';

/** Page size, in logins. */
const PAGE_SIZE = 100;

/** Prints every login, one per line, sorted by email address, with the totals of its account. */
export const listLogins = (env = process.env): Promise<void> =>
  withStore(env, (services) => printLogins(services.get(Store)));

export async function printLogins(store: Store): Promise<void> {
  const order = { by: 'email', direction: 'asc' } as const;
  let last: User | undefined;
  do {
    const after = last && { value: last.email, _id: last._id };
    const page = await store.list(USERS, {}, order, { limit: PAGE_SIZE, after });
    if (!last && page.length === 0) console.log('There are no accounts.');
    for (const user of page) {
      const { account } = user;
      const totals = await store.find(TOTALS, { _id: account });
      console.log(describe(user, totals ?? newTotals(account)));
    }
    last = page.at(-1);
  } while (last);
}

/** Tab-separated: names and email addresses cannot contain tabs. */
function describe({ email, name, role, account, createdAt, ...user }: User, totals: AccountTotals) {
  const { disabledAt } = role === 'owner' ? totals : user;
  return [
    email,
    name,
    `created ${createdAt.toISOString()}`,
    disabledAt ? `disabled ${disabledAt.toISOString()}` : 'enabled',
    `clients ${totals.clientsCount}`,
    `projects ${totals.projectsCount}`,
    `licenses ${totals.licensesCount}`,
    role,
    `account ${account}`,
  ].join('\t');
}
