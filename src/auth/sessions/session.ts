import type { AccountId } from '../../shared/ids/account-id.js';
import { DAY_MS } from '../../shared/time/days.js';

/** A session ends this long after its login, however often it is refreshed, in milliseconds: 90 days. */
export const SESSION_LIFE = 90 * DAY_MS;

/** Sessions of an account. A further login ends the one that would expire first. */
export const MAX_SESSIONS = 100;

/** Addresses that an account's logins are remembered for. A further one replaces the one unused for longest. */
export const MAX_LOGIN_ADDRESSES = 20;

/** A login and the family of refresh tokens that descend from it, of which only the latest is unspent. */
export interface Session {
  readonly _id: string;
  readonly user: AccountId;
  /** When the login was. */
  readonly startedAt: Date;
  /** When its latest refresh token expires. */
  readonly expiresAt: Date;
}

/** A refresh token as it is stored: SHA-256, base64url. */
export interface RefreshTokenHashes {
  /** Of the part that all tokens of a session share. */
  readonly familyHash: string;
  /** Of the whole token. */
  readonly tokenHash: string;
}

/** What a login proves, and the first refresh token of its session: as all of it is stored. */
export interface LoginHashes extends RefreshTokenHashes {
  /** Of the password that was found right. */
  readonly passwordHash: string;
  /** Keyed hash of the account's e-mail address and the caller's address. */
  readonly addressHash: string;
}

/** The token that takes the place of a spent one. */
export interface SuccessorToken {
  readonly tokenHash: string;
  /** When it expires, unless its session's life ends before. */
  readonly expiresAt: Date;
}
