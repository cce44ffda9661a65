import { type Actor, record } from '../../events/event.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { DAY_MS } from '../../shared/time/days.js';
import type { Change } from '../../storage/changes.js';
import { collection, id, type RecordOf, text, time } from '../../storage/collection.js';

/** Life of a session from its login, in milliseconds, however often it is refreshed: 90 days. */
export const SESSION_LIFE = 90 * DAY_MS;

/** Maximum of sessions of a login. A further one ends the one that would expire first. */
export const MAX_SESSIONS = 100;

/** Maximum of login addresses kept for a login. A further one replaces the least recently used. */
export const MAX_LOGIN_ADDRESSES = 20;

const SESSION_FIELDS = {
  _id: id(),
  /** The login. */
  user: id(),
  accountId: id<AccountId>(),
  /** The time of the login. */
  startedAt: time(),
  /** When the latest refresh token expires. */
  expiresAt: time(),
  /** The latest login or refresh, with the caller's address as rate limits count it. */
  lastUsedAt: time(),
  address: text(),
  userAgent: text().nullable(),
  /** Hash of the half that all tokens of a session share. */
  familyHash: text(),
  /** Hash of the whole token: of the latest one of a session. */
  tokenHash: text(),
};

/** A login, and the family of refresh tokens issued from it. Only the latest of them is unspent. */
export type Session = RecordOf<typeof SESSION_FIELDS>;

/** The stored hashes of a refresh token: SHA-256, base64url. */
export type RefreshTokenHashes = Pick<Session, 'familyHash' | 'tokenHash'>;

/** The event of a session that has ended before its time, by the caller of the request or the service unless `by` names another. */
export const sessionEnded = (session: Session, at: Date, by?: Actor): Change => {
  const { _id, accountId, user, userAgent, address } = session;
  const data = { user, address };
  const subject = { accountId, _id, name: userAgent ?? '' };
  return record('session.ended', subject, at, by ? { data, by } : { data });
};

/** When a session was used last, and from where. */
export type SessionUse = Pick<Session, 'lastUsedAt' | 'address' | 'userAgent'>;

export const SESSIONS = collection<Session>('sessions', {
  fields: SESSION_FIELDS,
  unique: [['familyHash']],
  indexes: [['user', 'expiresAt', '_id'], ['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

const ADDRESS_FIELDS = { _id: text(), user: id(), accountId: id<AccountId>(), usedAt: time() };

/** An address from which a member logged in. Its id is a keyed hash of the member's e-mail address and the address. */
export type LoginAddress = RecordOf<typeof ADDRESS_FIELDS>;

export const LOGIN_ADDRESSES = collection<LoginAddress>('login_addresses', {
  fields: ADDRESS_FIELDS,
  indexes: [['user', 'usedAt', '_id'], ['accountId']],
  account: 'accountId',
});
