import type { AccountId } from '../../shared/ids/account-id.js';
import { DAY_MS } from '../../shared/time/days.js';
import { type Change, removeAll } from '../../storage/changes.js';
import { collection, id, type RecordOf, text, time } from '../../storage/collection.js';

/** Life of a session from its login, in milliseconds, however often it is refreshed: 90 days. */
export const SESSION_LIFE = 90 * DAY_MS;

/** Maximum of sessions of an account. A further login ends the one that would expire first. */
export const MAX_SESSIONS = 100;

/** Maximum of login addresses kept for an account. A further one replaces the least recently used. */
export const MAX_LOGIN_ADDRESSES = 20;

const SESSION_FIELDS = {
  _id: id(),
  user: id<AccountId>(),
  /** The time of the login. */
  startedAt: time(),
  /** When the latest refresh token expires. */
  expiresAt: time(),
  /** Hash of the half that all tokens of a session share. */
  familyHash: text(),
  /** Hash of the whole token: of the latest one of a session. */
  tokenHash: text(),
};

/** A login, and the family of refresh tokens issued from it. Only the latest of them is unspent. */
export type Session = RecordOf<typeof SESSION_FIELDS>;

/** The stored hashes of a refresh token: SHA-256, base64url. */
export type RefreshTokenHashes = Pick<Session, 'familyHash' | 'tokenHash'>;

export const SESSIONS = collection<Session>('sessions', {
  fields: SESSION_FIELDS,
  unique: [['familyHash']],
  indexes: [['user', 'expiresAt', '_id'], ['expiresAt']],
  account: 'user',
  expires: 'expiresAt',
});

const ADDRESS_FIELDS = { _id: text(), user: id<AccountId>(), usedAt: time() };

/** An address from which an account was logged in to. Its id is a keyed hash of the account's e-mail address and the address. */
export type LoginAddress = RecordOf<typeof ADDRESS_FIELDS>;

export const LOGIN_ADDRESSES = collection<LoginAddress>('login_addresses', {
  fields: ADDRESS_FIELDS,
  indexes: [['user', 'usedAt', '_id']],
  account: 'user',
});

export const endSessions = (accountId: AccountId): Change =>
  removeAll(SESSIONS, { user: accountId });
