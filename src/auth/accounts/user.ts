import type { AccountId } from '../../shared/ids/account-id.js';
import type { Totals } from '../../shared/quotas/account-totals.js';
import { collection, id, type RecordOf, text, time } from '../../storage/collection.js';

const FIELDS = {
  _id: id<AccountId>(),
  name: text(),
  /** In normal form; unique. */
  email: text(),
  /** argon2id, in the PHC string format. */
  passwordHash: text(),
  createdAt: time(),
  updatedAt: time(),
  /** When the operator disabled the account, so that nobody can log in; null while it is enabled. */
  disabledAt: time().nullable(),
};

/** An account: a developer that issues licenses. */
export type User = RecordOf<typeof FIELDS>;

export const USERS = collection<User>('users', {
  fields: FIELDS,
  unique: [['email']],
  account: '_id',
});

/** An account as the operator's list shows it. */
export type AccountOverview = Pick<User, 'email' | 'name' | 'createdAt' | 'disabledAt'> & Totals;
