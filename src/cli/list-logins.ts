import { type User, USERS } from '../auth/accounts/user.js';
import { type AccountTotals, newTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { pagesOf, Store } from '../storage/store.js';
import type { Services } from './with-store.js';

/** Page size, in logins. */
const PAGE_SIZE = 100;

/** Prints every login, one per line, sorted by email address, with the totals of its account. */
export async function listLogins(services: Services): Promise<void> {
  const store = services.get(Store);
  let isEmpty = true;
  for await (const page of pagesOf(store, USERS, {}, 'email', PAGE_SIZE)) {
    isEmpty = false;
    for (const user of page) {
      const { account } = user;
      const totals = await store.find(TOTALS, { _id: account });
      console.log(describe(user, totals ?? newTotals(account)));
    }
  }
  if (isEmpty) console.log('There are no accounts.');
}

/** Tab-separated, because names and email addresses cannot contain tabs. */
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
