import type { LoginHashes, RefreshTokenHashes, Session, SuccessorToken } from './session.js';

/** The outcome of spending a refresh token; a replay has ended the session. */
export type Rotation =
  | { readonly outcome: 'rotated' | 'replayed'; readonly session: Session }
  | { readonly outcome: 'unknown' };

/** The port to the stored sessions, each with its latest refresh token, and to the login addresses. */
export abstract class SessionsRepository {
  /**
   * Stores a session with its first token and login address in one transaction, unless the verified password
   * has changed or the account is disabled: no session outlives the password with which it was started. Keeps
   * the newest {@link MAX_SESSIONS} sessions and {@link MAX_LOGIN_ADDRESSES} addresses of the account, and
   * deletes some of the expired sessions of all accounts.
   */
  abstract start(
    session: Session,
    login: LoginHashes,
  ): Promise<'started' | 'password_changed' | 'account_disabled'>;

  /**
   * Replaces a session's latest token by its successor in one statement: of concurrent uses of one token, at
   * most one is `rotated`. Any other token of the family, however old, is a replay and ends the session, after
   * which every token of the family is `unknown`.
   */
  abstract rotate(
    token: RefreshTokenHashes,
    successor: SuccessorToken,
    now: Date,
  ): Promise<Rotation>;

  /** Ends the session of a token, spent or not; null for an unknown token. */
  abstract end(token: RefreshTokenHashes): Promise<Session | null>;

  /** Whether a session was started from an address; its hash as in {@link LoginHashes}. */
  abstract isKnownAddress(addressHash: string): Promise<boolean>;
}
