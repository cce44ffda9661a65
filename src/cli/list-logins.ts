import { type User, USERS } from '../auth/accounts/user.js';
import { type AccountTotals, newTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { Store } from '../storage/store.js';
import { withStore } from './with-store.js';

/** Logins that the list reads at a time. */
const PAGE_SIZE = 100;

/** Prints every login, one per line. */
export function listLogins(env = process.env): Promise<void> {
  return withStore(env, async (services) => {
    let isEmpty = true;
    for await (const line of describeLogins(services.get(Store))) {
      isEmpty = false;
      console.log(line);
    }
    if (isEmpty) console.log('There are no accounts.');
  });
}

/** Every login, by e-mail address, with the totals of its account; one page is in memory at a time. */
export async function* describeLogins(store: Store): AsyncGenerator<string> {
  let last: User | undefined;
  do {
    const after = last && { value: last.email, _id: last._id };
    const order = { by: 'email', direction: 'asc' } as const;
    const page = await store.list(USERS, {}, order, { limit: PAGE_SIZE, after });
    for (const user of page) {
      const { account } = user;
      yield describe(user, (await store.find(TOTALS, { _id: account })) ?? newTotals(account));
    }
    last = page.at(-1);
  } while (last);
}

/** Fields separated by tabs, which a name or an e-mail address cannot contain. */
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
