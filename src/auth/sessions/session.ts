import { createHash, randomBytes } from 'node:crypto';
import type { AccountId } from '../../shared/ids.js';
import { DAY_MS } from '../../shared/time/calendar.js';
import { collection, id, type RecordOf, text, time } from '../../storage/collection.js';

/** Life of a session from its login, in milliseconds, however often it is refreshed: 90 days. */
export const SESSION_LIFE = 90 * DAY_MS;

/** Life of a refresh token, in milliseconds: 30 days. */
export const REFRESH_TOKEN_LIFE = 30 * DAY_MS;

/** Length of each half of a refresh token: 128 random bits, base64url. */
const HALF = 22;

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
  createdAt: time(),
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

/** From where a session is used. */
export type Device = Pick<Session, 'address' | 'userAgent'>;

export const SESSIONS = collection<Session>('sessions', {
  fields: SESSION_FIELDS,
  unique: [['familyHash']],
  indexes: [['user', 'expiresAt', '_id'], ['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

/**
 * A new refresh token. Its first half identifies the family and is copied from the predecessor; its second half is random. The first
 * half identifies every spent token of a session, without storing any of them.
 */
export function newRefreshToken(predecessor?: string): string {
  const family = predecessor?.slice(0, HALF) ?? randomHalf();
  return `${family}${randomHalf()}`;
}

/** The hashes stored of a refresh token. Halves of 128 random bits need no slow hash. */
export const hashRefreshToken = (token: string): RefreshTokenHashes => ({
  familyHash: sha256(token.slice(0, HALF)),
  tokenHash: sha256(token),
});

/** A session whose latest token was spent for a successor: it ends with that one, or {@link SESSION_LIFE} after its login. */
export function rotated(session: Session, tokenHash: string, device: Device, now: Date): Session {
  const [fromNow, fromStart] = [now.getTime(), session.createdAt.getTime()];
  const end = Math.min(fromNow + REFRESH_TOKEN_LIFE, fromStart + SESSION_LIFE);
  return { ...session, ...device, lastUsedAt: now, tokenHash, expiresAt: new Date(end) };
}

const randomHalf = () => randomBytes(16).toString('base64url');

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

const ADDRESS_FIELDS = { _id: text(), user: id(), accountId: id<AccountId>(), usedAt: time() };

/** An address from which a member logged in. Its id is a keyed hash of the member's e-mail address and the address. */
export type LoginAddress = RecordOf<typeof ADDRESS_FIELDS>;

export const LOGIN_ADDRESSES = collection<LoginAddress>('login_addresses', {
  fields: ADDRESS_FIELDS,
  indexes: [['user', 'usedAt', '_id'], ['accountId']],
  account: 'accountId',
});
