import {
  type Actor,
  type Event,
  type EventDetails,
  type EventType,
  newEvent,
} from '../../events/event.js';
import { bindingTo, LINKS } from '../../links/link.js';
import type { AccountId } from '../../shared/ids.js';
import { type SecurityDetails, UNKNOWN_ACCOUNT } from '../../shared/logging/security-log.js';
import { type Change, remove, removeAll } from '../../storage/changes.js';
import { collection, NOT_STORED, type RecordOf, field } from '../../storage/collection.js';
import type { Role } from '../access/operations.js';
import type { WrongCodes } from '../factors/codes.js';
import { type Factors, NO_FACTORS } from '../factors/factors.js';
import { LOGIN_ADDRESSES, SESSIONS } from '../sessions/session.js';

const FIELDS = {
  _id: field.id(),
  account: field.id<AccountId>(),
  role: field.text<Role>(),
  name: field.text(),
  /** Normalized; unique. */
  email: field.text(),
  /** argon2id, in the PHC string format. */
  passwordHash: field.text(),
  factors: field.json<Factors>(),
  /** Identifies the login to authenticators, without personal data; null before the first passkey. */
  passkeyHandle: field.text().nullable(),
  wrongCodes: field.json<WrongCodes>().nullable(),
  createdAt: field.time(),
  updatedAt: field.time(),
  /** When the operator disabled a member's login; null while enabled. Disabling an owner disables the account instead. */
  disabledAt: field.time().nullable(),
  /** When the member opened a link mailed to this address; null if never. */
  emailConfirmedAt: field.time().nullable(),
};

/** A login: the owner of an account, or another member of it. */
export type User = RecordOf<typeof FIELDS>;

export const USERS = collection<User>('users', {
  fields: FIELDS,
  unique: [['email'], ['passkeyHandle']],
  indexes: [['account', 'createdAt', '_id']],
  account: 'account',
});

export const newUser = (
  fields: Pick<User, '_id' | 'account' | 'role' | 'name' | 'email' | 'passwordHash'>,
  now: Date,
): User => ({
  ...fields,
  factors: NO_FACTORS,
  passkeyHandle: null,
  wrongCodes: null,
  createdAt: now,
  updatedAt: now,
  disabledAt: null,
  emailConfirmedAt: null,
  version: NOT_STORED,
});

/** The changes that delete a member's login. */
export const removalOf = (user: User): Change[] => [
  remove(USERS, user),
  removeAll(SESSIONS, { user: user._id }),
  removeAll(LOGIN_ADDRESSES, { user: user._id }),
  removeAll(LINKS, { subject: user._id }),
];

/** Voids a login's links whenever its password or address changes. */
export const linkBindingOf = ({ passwordHash, email }: User): string =>
  bindingTo(passwordHash, email);

export const actorOf = ({ _id: id, name }: User): Actor => ({ type: 'user', id, name });

/** An event about a login, caused by its member unless the details name someone else. */
export const newAccountEvent = (
  type: Extract<EventType, `account.${string}`>,
  user: User,
  at: Date,
  details: EventDetails = {},
): Event => {
  const { account: accountId, _id, name } = user;
  return newEvent(type, { accountId, _id, name }, at, { by: actorOf(user), ...details });
};

/** The ids of a login, for the security log. */
export const idsOf = (user: User | null): SecurityDetails =>
  user ? { account: user.account, user: user._id } : { account: UNKNOWN_ACCOUNT };
