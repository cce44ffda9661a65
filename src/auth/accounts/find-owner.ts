import type { AccountId } from '../../shared/ids.js';
import { OLDEST_FIRST } from '../../shared/pagination/page.js';
import type { Store } from '../../storage/store.js';
import { type User, USERS } from './user.js';

export async function findOwner(store: Store, account: AccountId): Promise<User | undefined> {
  const owners = { account, role: 'owner' } as const;
  const [owner] = await store.list(USERS, owners, OLDEST_FIRST, { limit: 1 });
  return owner;
}
