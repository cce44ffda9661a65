import type { LoginHashes, Session, StoredRefreshToken } from './session.js';

/** A session that has just been ended. */
export type EndedSession = Pick<Session, '_id' | 'user'>;

/** What became of an attempt to spend a refresh token. */
export type Rotation =
  | { readonly outcome: 'rotated'; readonly session: Session }
  /** The token was spent before: its whole session has been ended. */
  | { readonly outcome: 'replayed'; readonly session: EndedSession }
  | { readonly outcome: 'unknown' };

/** The port to the stored sessions and their refresh tokens. */
export abstract class SessionsRepository {
  /**
   * Stores a session with its first token, if the password that was found right is still the account's:
   * no session that was started with a password outlives its change. Drops what has expired before `now`.
   */
  abstract start(
    session: Session,
    login: LoginHashes,
    now: Date,
  ): Promise<'started' | 'password_changed'>;

  /**
   * Spends a token and stores its successor, in one transaction: of several uses of one token at most
   * one gets `rotated`. The next one gets `replayed` and ends the session, so that to any later one
   * the token is `unknown`. Drops what has expired before `now`.
   */
  abstract rotate(tokenHash: string, successor: StoredRefreshToken, now: Date): Promise<Rotation>;

  /** Ends the session that a token belongs to, spent or not; null for an unknown token. */
  abstract end(tokenHash: string): Promise<EndedSession | null>;
}
