import type { AccountId } from '../../shared/ids/account-id.js';
import type { Totals } from '../../shared/quotas/account-totals.js';
import { collection, id, NOT_STORED, type RecordOf, text, time } from '../../storage/collection.js';
import type { Role } from '../access/roles.js';

const FIELDS = {
  _id: id(),
  account: id<AccountId>(),
  role: text<Role>(),
  name: text(),
  /** In normal form; unique. */
  email: text(),
  /** argon2id, in the PHC string format. */
  passwordHash: text(),
  createdAt: time(),
  updatedAt: time(),
  /** When the operator disabled the login of a member; null while it is enabled. An owner is disabled with the account. */
  disabledAt: time().nullable(),
};

/** A login: the owner of an account, or another member of it. */
export type User = RecordOf<typeof FIELDS>;

export const USERS = collection<User>('users', {
  fields: FIELDS,
  unique: [['email']],
  indexes: [['account', 'createdAt', '_id']],
  account: 'account',
});

export const newUser = (
  fields: Pick<User, '_id' | 'account' | 'role' | 'name' | 'email' | 'passwordHash'>,
  now: Date,
): User => ({ ...fields, createdAt: now, updatedAt: now, disabledAt: null, version: NOT_STORED });

/** A login as the operator's list shows it, with the numbers of its account. */
export type AccountOverview = Pick<
  User,
  'account' | 'role' | 'email' | 'name' | 'createdAt' | 'disabledAt'
> &
  Totals;
