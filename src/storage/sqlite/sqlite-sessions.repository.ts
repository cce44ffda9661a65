import { Injectable } from '@nestjs/common';
import type { LoginHashes, Session, StoredRefreshToken } from '../../auth/session.js';
import {
  type EndedSession,
  type Rotation,
  SessionsRepository,
} from '../../auth/sessions.repository.js';
import { type Row, toRow } from './rows.js';
import { SqliteStore } from './sqlite-store.js';

@Injectable()
export class SqliteSessionsRepository extends SessionsRepository {
  private readonly dropSessions;
  private readonly dropTokens;
  private readonly insertSession;
  private readonly insertToken;
  private readonly spendToken;
  private readonly prolongSession;
  private readonly endSession;

  constructor(private readonly store: SqliteStore) {
    super();
    this.dropSessions = store.prepare('DELETE FROM sessions WHERE expiresAt <= ?');
    this.dropTokens = store.prepare('DELETE FROM refresh_tokens WHERE expiresAt <= ?');
    this.insertSession = store.prepare(
      `INSERT INTO sessions (_id, user, expiresAt) SELECT $_id, _id, $expiresAt
       FROM users WHERE _id = $user AND passwordHash = $passwordHash`,
    );
    this.insertToken = store.prepare(
      'INSERT INTO refresh_tokens (tokenHash, session, expiresAt) VALUES ($tokenHash, $session, $expiresAt)',
    );
    this.spendToken = store.prepare(
      `UPDATE refresh_tokens SET spentAt = $now
       WHERE tokenHash = $tokenHash AND spentAt IS NULL AND expiresAt > $now RETURNING session`,
    );
    this.prolongSession = store.prepare(
      'UPDATE sessions SET expiresAt = $expiresAt WHERE _id = $session RETURNING user',
    );
    this.endSession = store.prepare(
      `DELETE FROM sessions
       WHERE _id = (SELECT session FROM refresh_tokens WHERE tokenHash = $tokenHash) RETURNING _id, user`,
    );
  }

  start(
    session: Session,
    { passwordHash, tokenHash }: LoginHashes,
    now: Date,
  ): Promise<'started' | 'password_changed'> {
    return this.store.write(() => {
      this.dropTokens.run(now.getTime());
      this.dropSessions.run(now.getTime());
      const { changes } = this.insertSession.run(toRow({ ...session, passwordHash }));
      if (changes === 0) return 'password_changed';
      const { _id, expiresAt } = session;
      this.insertToken.run(toRow({ tokenHash, session: _id, expiresAt }));
      return 'started';
    });
  }

  rotate(tokenHash: string, successor: StoredRefreshToken, now: Date): Promise<Rotation> {
    return this.store.write((): Rotation => {
      this.dropTokens.run(now.getTime());
      const spent = this.spendToken.get(toRow({ tokenHash, now })) as Row | undefined;
      if (!spent) return this.refuse(tokenHash);
      const { expiresAt } = successor;
      const session = String(spent.session);
      const { user } = this.prolongSession.get(toRow({ expiresAt, session })) as Row;
      this.insertToken.run(toRow({ ...successor, session }));
      return { outcome: 'rotated', session: { _id: session, user: String(user), expiresAt } };
    });
  }

  end(tokenHash: string): Promise<EndedSession | null> {
    return this.store.write(() => this.endNow(tokenHash));
  }

  private refuse(tokenHash: string): Rotation {
    const session = this.endNow(tokenHash);
    return session ? { outcome: 'replayed', session } : { outcome: 'unknown' };
  }

  private endNow(tokenHash: string): EndedSession | null {
    const ended = this.endSession.get({ tokenHash }) as Row | undefined;
    return ended ? { _id: String(ended._id), user: String(ended.user) } : null;
  }
}
