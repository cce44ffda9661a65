import { randomBytes } from 'node:crypto';
import { hashOfToken } from '../../links/link.js';
import type { AccountId } from '../../shared/ids.js';
import { DAY_MS } from '../../shared/time/calendar.js';
import { collection, type RecordOf, field } from '../../storage/collection.js';

/** Lifetime of a session from login, in milliseconds, regardless of refreshes: 90 days. */
export const SESSION_LIFE = 90 * DAY_MS;

/** Lifetime of a refresh token, in milliseconds: 30 days. */
export const REFRESH_TOKEN_LIFE = 30 * DAY_MS;

/** How long a confirmation lasts, in milliseconds: 10 minutes. */
export const VERIFIED_FOR = 10 * 60_000;

export const isVerified = ({ verifiedAt }: { readonly verifiedAt: Date }, now: Date): boolean =>
  now.getTime() - verifiedAt.getTime() < VERIFIED_FOR;

/** Length of each half of a refresh token: 128 random bits in base64url. */
const HALF = 22;

/** Maximum number of sessions per login. Another login ends the session that would expire first. */
export const MAX_SESSIONS = 100;

/** Maximum number of known addresses per login. Another address replaces the least recently used one. */
export const MAX_LOGIN_ADDRESSES = 20;

const SESSION_FIELDS = {
  _id: field.id(),
  /** The id of the login. */
  user: field.id(),
  accountId: field.id<AccountId>(),
  /** When the member logged in. */
  createdAt: field.time(),
  /** The latest proof of the password or a second factor. */
  verifiedAt: field.time(),
  /** The sealed secret of an authenticator app that is not confirmed yet. */
  totpSetup: field.text().nullable(),
  /** When the latest refresh token expires. */
  expiresAt: field.time(),
  /** The latest login or refresh, with the caller's address as counted by rate limits. */
  lastUsedAt: field.time(),
  address: field.text(),
  userAgent: field.text().nullable(),
  /** Hash of the half shared by all tokens of the session. */
  familyHash: field.text(),
  /** Hash of the session's latest token. */
  tokenHash: field.text(),
};

/** A login and its family of refresh tokens. Only the latest token is unused. */
export type Session = RecordOf<typeof SESSION_FIELDS>;

/** The stored hashes of a refresh token: SHA-256, base64url. */
export type RefreshTokenHashes = Pick<Session, 'familyHash' | 'tokenHash'>;

/** The address and program that use a session. */
export type Device = Pick<Session, 'address' | 'userAgent'>;

export const SESSIONS = collection<Session>('sessions', {
  fields: SESSION_FIELDS,
  unique: [['familyHash']],
  indexes: [['user', 'expiresAt', '_id'], ['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

/**
 * A new refresh token. The first half is copied from its predecessor and identifies the family; the second half is random. This
 * recognizes every spent token of a session without storing any.
 */
export function newRefreshToken(predecessor?: string): string {
  const family = predecessor?.slice(0, HALF) ?? randomHalf();
  return `${family}${randomHalf()}`;
}

/** The stored hashes of a refresh token. Halves of 128 random bits do not need a slow hash. */
export const hashRefreshToken = (token: string): RefreshTokenHashes => ({
  familyHash: hashOfToken(token.slice(0, HALF)),
  tokenHash: hashOfToken(token),
});

/** A session after a refresh: expires with the new token, or {@link SESSION_LIFE} after its login. */
export function rotated(session: Session, tokenHash: string, device: Device, now: Date): Session {
  const [fromNow, fromStart] = [now.getTime(), session.createdAt.getTime()];
  const end = Math.min(fromNow + REFRESH_TOKEN_LIFE, fromStart + SESSION_LIFE);
  return { ...session, ...device, lastUsedAt: now, tokenHash, expiresAt: new Date(end) };
}

const randomHalf = () => randomBytes(16).toString('base64url');

const ADDRESS_FIELDS = {
  _id: field.text(),
  user: field.id(),
  accountId: field.id<AccountId>(),
  usedAt: field.time(),
};

/** An address a member logged in from. The id is a keyed hash of the member's email address and the IP address. */
export type LoginAddress = RecordOf<typeof ADDRESS_FIELDS>;

export const LOGIN_ADDRESSES = collection<LoginAddress>('login_addresses', {
  fields: ADDRESS_FIELDS,
  indexes: [['user', 'usedAt', '_id'], ['accountId']],
  account: 'accountId',
});
