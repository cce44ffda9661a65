import type { LoginHashes, RefreshTokenHashes, Session, SuccessorToken } from './session.js';

/** The outcome of an attempt to spend a refresh token; a replay comes with the session that it has ended. */
export type Rotation =
  | { readonly outcome: 'rotated' | 'replayed'; readonly session: Session }
  | { readonly outcome: 'unknown' };

/** The port to the stored sessions, each with its latest refresh token, and to the addresses of logins. */
export abstract class SessionsRepository {
  /**
   * Stores a session with its first token and the address of the login, in one transaction, if the password
   * that was found right is still the account's and the account is not disabled: no session that was started
   * with a password outlives its change. Keeps the newest {@link MAX_SESSIONS} sessions and
   * {@link MAX_LOGIN_ADDRESSES} addresses of the account, and deletes some of all sessions that have expired.
   */
  abstract start(
    session: Session,
    login: LoginHashes,
  ): Promise<'started' | 'password_changed' | 'account_disabled'>;

  /**
   * Replaces a session's latest token by its successor in one statement: of several uses of one token at
   * most one gets `rotated`. Any other token of the family, however old, is a replay and ends the session,
   * so that to any later one the token is `unknown`.
   */
  abstract rotate(
    token: RefreshTokenHashes,
    successor: SuccessorToken,
    now: Date,
  ): Promise<Rotation>;

  /** Ends the session that a token belongs to, spent or not; null for an unknown token. */
  abstract end(token: RefreshTokenHashes): Promise<Session | null>;

  /** Whether a session was started from the address that a hash stands for; see {@link LoginHashes}. */
  abstract isKnownAddress(addressHash: string): Promise<boolean>;
}
