import { type AccountTotals, TOTALS } from '../../shared/quotas/account-totals.js';
import { type Change, remove, removeAll, replace, setAll } from '../../storage/changes.js';
import { LOGIN_ADDRESSES, SESSIONS } from '../sessions/session.js';
import { type User, USERS } from './user.js';

/** A login with its account, which is null while it is being deleted. */
export interface Login {
  readonly user: User;
  readonly account: AccountTotals | null;
}

/** The changes by which the login of a member is deleted. */
export const removalOf = (user: User): Change[] => [
  remove(USERS, user),
  removeAll(SESSIONS, { user: user._id }),
  removeAll(LOGIN_ADDRESSES, { user: user._id }),
];

export const isDisabled = ({ user, account }: Login): boolean =>
  user.role === 'owner' ? account?.disabledAt !== null : user.disabledAt !== null;

/** The owner is disabled with the account, however often its totals change meanwhile, another member alone. */
export const disabling = ({ user, account }: Login, disabledAt: Date | null, now: Date): Change =>
  user.role === 'owner' && account
    ? setAll(TOTALS, { _id: account._id }, { disabledAt })
    : update(user, { disabledAt }, now);

export const update = (user: User, fields: Partial<User>, updatedAt: Date): Change =>
  replace(USERS, user, { ...user, ...fields, updatedAt });
