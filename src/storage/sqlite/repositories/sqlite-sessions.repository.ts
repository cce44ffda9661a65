import { Injectable } from '@nestjs/common';
import {
  type LoginHashes,
  MAX_LOGIN_ADDRESSES,
  MAX_SESSIONS,
  type RefreshTokenHashes,
  type Session,
  SESSION_LIFE,
  type SuccessorToken,
} from '../../../auth/sessions/session.js';
import { type Rotation, SessionsRepository } from '../../../auth/sessions/sessions.repository.js';
import { toAccountId } from '../../../shared/ids/account-id.js';
import { insertInto, type Row, toDate, toRow } from './rows.js';
import { SqliteStore } from '../connection/sqlite-store.js';

/** Maximum of expired sessions deleted by one login. */
const DELETED_AT_ONCE = 100;

@Injectable()
export class SqliteSessionsRepository extends SessionsRepository {
  private readonly deleteExpired;
  private readonly insertSession;
  private readonly selectByPassword;
  private readonly trimSessions;
  private readonly insertAddress;
  private readonly trimAddresses;
  private readonly selectAddress;
  private readonly spendToken;
  private readonly endReplayed;
  private readonly endSession;

  constructor(private readonly store: SqliteStore) {
    super();
    this.deleteExpired = store.prepare(
      `DELETE FROM sessions WHERE _id IN
         (SELECT _id FROM sessions WHERE expiresAt <= ? LIMIT ${DELETED_AT_ONCE})`,
    );
    this.insertSession = store.prepare(
      `INSERT INTO sessions (_id, user, startedAt, expiresAt, familyHash, tokenHash)
       SELECT $_id, _id, $startedAt, $expiresAt, $familyHash, $tokenHash
       FROM users WHERE _id = $user AND passwordHash = $passwordHash AND disabledAt IS NULL`,
    );
    this.selectByPassword = store.prepare('SELECT 1 FROM users WHERE _id = ? AND passwordHash = ?');
    this.trimSessions = store.prepare(
      `DELETE FROM sessions WHERE _id IN (
         SELECT _id FROM sessions WHERE user = $user
         ORDER BY _id = $_id DESC, expiresAt DESC, _id DESC LIMIT -1 OFFSET ${MAX_SESSIONS})`,
    );
    this.insertAddress = store.prepare(
      `${insertInto('login_addresses', ['_id', 'user', 'usedAt'])}
       ON CONFLICT (_id) DO UPDATE SET user = $user, usedAt = $usedAt`,
    );
    this.trimAddresses = store.prepare(
      `DELETE FROM login_addresses WHERE _id IN (
         SELECT _id FROM login_addresses WHERE user = $user
         ORDER BY _id = $_id DESC, usedAt DESC LIMIT -1 OFFSET ${MAX_LOGIN_ADDRESSES})`,
    );
    this.selectAddress = store.prepare('SELECT 1 FROM login_addresses WHERE _id = ?');
    this.spendToken = store.prepare(
      `UPDATE sessions SET tokenHash = $nextHash, familyHash = $familyHash,
         expiresAt = min($expiresAt, startedAt + ${SESSION_LIFE})
       WHERE tokenHash = $tokenHash AND expiresAt > $now RETURNING *`,
    );
    this.endReplayed = store.prepare(
      `DELETE FROM sessions
       WHERE familyHash = $familyHash AND tokenHash <> $tokenHash AND expiresAt > $now RETURNING *`,
    );
    this.endSession = store.prepare(
      'DELETE FROM sessions WHERE familyHash = $familyHash OR tokenHash = $tokenHash RETURNING *',
    );
  }

  start(
    session: Session,
    { passwordHash, addressHash, familyHash, tokenHash }: LoginHashes,
  ): Promise<'started' | 'password_changed' | 'account_disabled'> {
    const { _id, user, startedAt } = session;
    return this.store.write(() => {
      this.deleteExpired.run(startedAt.getTime());
      const record = toRow({ ...session, passwordHash, familyHash, tokenHash });
      if (this.insertSession.run(record).changes === 0) {
        return this.selectByPassword.get(user, passwordHash)
          ? 'account_disabled'
          : 'password_changed';
      }
      this.trimSessions.run({ user, _id });
      this.insertAddress.run(toRow({ _id: addressHash, user, usedAt: startedAt }));
      this.trimAddresses.run({ user, _id: addressHash });
      return 'started';
    });
  }

  rotate(
    { familyHash, tokenHash }: RefreshTokenHashes,
    { tokenHash: nextHash, expiresAt }: SuccessorToken,
    now: Date,
  ): Promise<Rotation> {
    const token = toRow({ familyHash, tokenHash, now });
    return this.store.write((): Rotation => {
      const next = toRow({ nextHash, expiresAt });
      const rotated = this.spendToken.get({ ...token, ...next }) as Row | undefined;
      if (rotated) return { outcome: 'rotated', session: toSession(rotated) };
      const ended = this.endReplayed.get(token) as Row | undefined;
      if (ended) return { outcome: 'replayed', session: toSession(ended) };
      return { outcome: 'unknown' };
    });
  }

  end({ familyHash, tokenHash }: RefreshTokenHashes): Promise<Session | null> {
    return this.store.write(() => {
      const ended = this.endSession.get({ familyHash, tokenHash }) as Row | undefined;
      return ended ? toSession(ended) : null;
    });
  }

  async isKnownAddress(addressHash: string): Promise<boolean> {
    return this.selectAddress.get(addressHash) !== undefined;
  }
}

export const toSession = (row: Row): Session => ({
  _id: String(row._id),
  user: toAccountId(String(row.user)),
  startedAt: toDate(row.startedAt),
  expiresAt: toDate(row.expiresAt),
});
