import type { AccountId } from '../../shared/ids/account-id.js';
import { DAY_MS } from '../../shared/time/days.js';

/** Life of a session from its login, in milliseconds, however often it is refreshed: 90 days. */
export const SESSION_LIFE = 90 * DAY_MS;

/** Maximum of sessions of an account. A further login ends the one that would expire first. */
export const MAX_SESSIONS = 100;

/** Maximum of login addresses kept for an account. A further one replaces the least recently used. */
export const MAX_LOGIN_ADDRESSES = 20;

/** A login, and the family of refresh tokens issued from it. Only the latest of them is unspent. */
export interface Session {
  readonly _id: string;
  readonly user: AccountId;
  /** The time of the login. */
  readonly startedAt: Date;
  /** When the latest refresh token expires. */
  readonly expiresAt: Date;
}

/** The stored hashes of a refresh token: SHA-256, base64url. */
export interface RefreshTokenHashes {
  /** Hash of the half that all tokens of a session share. */
  readonly familyHash: string;
  /** Hash of the whole token. */
  readonly tokenHash: string;
}

/** The hashes of a login: of its password and address, and of the first refresh token of its session. */
export interface LoginHashes extends RefreshTokenHashes {
  /** Hash of the password that was verified. */
  readonly passwordHash: string;
  /** Keyed hash of the account's e-mail address and the caller's address. */
  readonly addressHash: string;
}

/** The token that replaces a spent one. */
export interface SuccessorToken {
  readonly tokenHash: string;
  /** When it expires, unless the session ends earlier. */
  readonly expiresAt: Date;
}
