import { Injectable } from '@nestjs/common';
import type { PasswordChange, PasswordChanged, User } from '../../auth/user.js';
import { UsersRepository } from '../../auth/users.repository.js';
import type { IdempotencyClaim } from '../../shared/idempotency/idempotency-claim.js';
import { insertInto, type Row, toDate, toRow } from './rows.js';
import { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';
import { SqliteStore } from './sqlite-store.js';

const COLUMNS = ['_id', 'name', 'email', 'passwordHash', 'createdAt', 'updatedAt'];

@Injectable()
export class SqliteUsersRepository extends UsersRepository {
  private readonly insert;
  private readonly selectById;
  private readonly selectByEmail;
  private readonly setPassword;
  private readonly replacePassword;
  private readonly endSessions;
  private readonly endOtherSessions;

  constructor(
    private readonly store: SqliteStore,
    private readonly claims: SqliteIdempotencyRepository,
  ) {
    super();
    this.insert = store.prepare(`${insertInto('users', COLUMNS)} ON CONFLICT (email) DO NOTHING`);
    this.selectById = store.prepare('SELECT * FROM users WHERE _id = ?');
    this.selectByEmail = store.prepare('SELECT * FROM users WHERE email = ?');
    this.setPassword = store.prepare(
      'UPDATE users SET passwordHash = ?, updatedAt = ? WHERE _id = ?',
    );
    this.replacePassword = store.prepare(
      `UPDATE users SET passwordHash = $newHash, updatedAt = $at
       WHERE _id = $user AND passwordHash = $currentHash`,
    );
    this.endSessions = store.prepare('DELETE FROM sessions WHERE user = ?');
    this.endOtherSessions = store.prepare('DELETE FROM sessions WHERE user = ? AND _id <> ?');
  }

  create(user: User): Promise<'created' | 'email_taken'> {
    return this.store.write(() =>
      this.insert.run(toRow(user)).changes === 1 ? 'created' : 'email_taken',
    );
  }

  async findById(_id: string): Promise<User | null> {
    return toUser(this.selectById.get(_id));
  }

  async findByEmail(email: string): Promise<User | null> {
    return toUser(this.selectByEmail.get(email));
  }

  resetPassword(_id: string, passwordHash: string, now: Date): Promise<void> {
    return this.store.write(() => {
      this.setPassword.run(passwordHash, now.getTime(), _id);
      this.endSessions.run(_id);
    });
  }

  changePassword(
    { session, ...change }: PasswordChange,
    claim?: IdempotencyClaim,
  ): Promise<PasswordChanged | 'wrong_password'> {
    return this.store.write(() => {
      this.claims.check(claim);
      if (this.replacePassword.run(toRow(change)).changes === 0) return 'wrong_password';
      this.endOtherSessions.run(change.user, session);
      return this.claims.keep(claim, { changedAt: change.at });
    });
  }
}

function toUser(found: unknown): User | null {
  const row = found as Row | undefined;
  if (!row) return null;
  return {
    _id: String(row._id),
    name: String(row.name),
    email: String(row.email),
    passwordHash: String(row.passwordHash),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
  };
}
