import { Injectable } from '@nestjs/common';
import type {
  AccountOverview,
  PasswordChange,
  PasswordChanged,
  User,
} from '../../../auth/accounts/user.js';
import { UsersRepository } from '../../../auth/accounts/users.repository.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import { type AccountId, toAccountId } from '../../../shared/ids/account-id.js';
import { insertInto, type Row, toDate, toDateOrNull, toRow } from './rows.js';
import { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';
import { SqliteStore } from '../connection/sqlite-store.js';

const COLUMNS = ['_id', 'name', 'email', 'passwordHash', 'createdAt', 'updatedAt', 'disabledAt'];

@Injectable()
export class SqliteUsersRepository extends UsersRepository {
  private readonly insert;
  private readonly insertFirst;
  private readonly selectAny;
  private readonly selectById;
  private readonly selectByEmail;
  private readonly selectPage;
  private readonly setPassword;
  private readonly replacePassword;
  private readonly disableOne;
  private readonly enableOne;
  private readonly endSessions;
  private readonly endOtherSessions;

  constructor(
    private readonly store: SqliteStore,
    private readonly records: SqliteIdempotencyRepository,
  ) {
    super();
    this.insert = store.prepare(`${insertInto('users', COLUMNS)} ON CONFLICT (email) DO NOTHING`);
    this.insertFirst = store.prepare(
      insertInto('users', COLUMNS, 'WHERE NOT EXISTS (SELECT 1 FROM users)'),
    );
    this.selectAny = store.prepare('SELECT 1 FROM users LIMIT 1');
    this.selectById = store.prepare('SELECT * FROM users WHERE _id = ?');
    this.selectByEmail = store.prepare('SELECT * FROM users WHERE email = ?');
    this.selectPage = store.prepare(
      `SELECT users.*, clientsCount, projectsCount, licensesCount
       FROM users LEFT JOIN totals ON owner = users._id
       WHERE email > ? ORDER BY email LIMIT ?`,
    );
    this.setPassword = store.prepare(
      'UPDATE users SET passwordHash = ?, updatedAt = ? WHERE _id = ?',
    );
    this.replacePassword = store.prepare(
      `UPDATE users SET passwordHash = $newHash, updatedAt = $at
       WHERE _id = $user AND passwordHash = $currentHash`,
    );
    this.disableOne = store.prepare(
      `UPDATE users SET disabledAt = $now, updatedAt = $now
       WHERE email = $email AND disabledAt IS NULL RETURNING _id`,
    );
    this.enableOne = store.prepare(
      `UPDATE users SET disabledAt = NULL, updatedAt = $now
       WHERE email = $email AND disabledAt IS NOT NULL`,
    );
    this.endSessions = store.prepare('DELETE FROM sessions WHERE user = ?');
    this.endOtherSessions = store.prepare('DELETE FROM sessions WHERE user = ? AND _id <> ?');
  }

  create(user: User): Promise<'created' | 'email_taken'> {
    return this.store.write(() =>
      this.insert.run(toRow(user)).changes === 1 ? 'created' : 'email_taken',
    );
  }

  createFirst(user: User): Promise<'created' | 'not_first'> {
    return this.store.write(() =>
      this.insertFirst.run(toRow(user)).changes === 1 ? 'created' : 'not_first',
    );
  }

  async exist(): Promise<boolean> {
    return this.selectAny.get() !== undefined;
  }

  async findById(_id: AccountId): Promise<User | null> {
    return toUserOrNull(this.selectById.get(_id));
  }

  async findByEmail(email: string): Promise<User | null> {
    return toUserOrNull(this.selectByEmail.get(email));
  }

  async list(after: string | undefined, limit: number): Promise<AccountOverview[]> {
    return (this.selectPage.all(after ?? '', limit) as Row[]).map(toOverview);
  }

  resetPassword(_id: AccountId, passwordHash: string, now: Date): Promise<void> {
    return this.store.write(() => {
      this.setPassword.run(passwordHash, now.getTime(), _id);
      this.endSessions.run(_id);
    });
  }

  changePassword(
    { session, ...change }: PasswordChange,
    idempotency?: IdempotencyRecord,
  ): Promise<PasswordChanged | 'wrong_password'> {
    return this.records.runOnce(idempotency, () => {
      if (this.replacePassword.run(toRow(change)).changes === 0) return 'wrong_password';
      this.endOtherSessions.run(change.user, session);
      return { changedAt: change.at };
    });
  }

  disable(email: string, now: Date): Promise<'disabled' | 'already_disabled' | 'not_found'> {
    return this.store.write(() => {
      const disabled = this.disableOne.get(toRow({ email, now })) as Row | undefined;
      if (!disabled) return this.selectByEmail.get(email) ? 'already_disabled' : 'not_found';
      this.endSessions.run(String(disabled._id));
      return 'disabled';
    });
  }

  enable(email: string, now: Date): Promise<'enabled' | 'already_enabled' | 'not_found'> {
    return this.store.write(() => {
      if (this.enableOne.run(toRow({ email, now })).changes === 1) return 'enabled';
      return this.selectByEmail.get(email) ? 'already_enabled' : 'not_found';
    });
  }
}

const toUserOrNull = (found: unknown): User | null => (found ? toUser(found as Row) : null);

export function toUser(row: Row): User {
  return {
    _id: toAccountId(String(row._id)),
    name: String(row.name),
    email: String(row.email),
    passwordHash: String(row.passwordHash),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
    disabledAt: toDateOrNull(row.disabledAt),
  };
}

const toOverview = (row: Row): AccountOverview => ({
  email: String(row.email),
  name: String(row.name),
  createdAt: toDate(row.createdAt),
  disabledAt: toDateOrNull(row.disabledAt),
  clientsCount: Number(row.clientsCount),
  projectsCount: Number(row.projectsCount),
  licensesCount: Number(row.licensesCount),
});
