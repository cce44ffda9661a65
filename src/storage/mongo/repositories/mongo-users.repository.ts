import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type {
  AccountOverview,
  PasswordChange,
  PasswordChanged,
  User,
} from '../../../auth/accounts/user.js';
import { UsersRepository } from '../../../auth/accounts/users.repository.js';
import { Config } from '../../../shared/config/config.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { onDuplicate } from '../connection/driver-errors.js';
import { MongoStore } from '../connection/mongo-store.js';
import { insertRecord } from '../connection/statement-deadline.js';
import { FIRST_ACCOUNT } from '../schemas/deployment.schema.js';
import { toUser, toUserRecord } from '../schemas/user.schema.js';
import { runOnce } from './mongo-idempotency.repository.js';
import { readTotals } from './totals.js';

@Injectable()
export class MongoUsersRepository extends UsersRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly config: Config,
  ) {
    super();
  }

  async create(user: User): Promise<'created' | 'email_taken'> {
    try {
      await this.store.run(({ users }) => insertRecord(users, toUserRecord(user)));
      return 'created';
    } catch (error) {
      return onDuplicate('email', 'email_taken', error);
    }
  }

  createFirst(user: User): Promise<'created' | 'not_first'> {
    return this.store.transaction(FIRST_ACCOUNT, async ({ deployment, users, session }) => {
      if (await users.exists({}).session(session)) return 'not_first';
      // Transactions conflict only over records that they change, so both of two first accounts change this one.
      await deployment.updateOne(
        { _id: { $eq: FIRST_ACCOUNT } },
        { $set: { value: user._id } },
        { session, upsert: true },
      );
      await insertRecord(users, toUserRecord(user), session);
      return 'created';
    });
  }

  async exist(): Promise<boolean> {
    return (await this.store.run(({ users }) => users.exists({}))) !== null;
  }

  async findById(_id: AccountId): Promise<User | null> {
    const record = await this.store.run(({ users }) =>
      users.findOne({ _id: new Types.ObjectId(_id) }).lean(),
    );
    return record && toUser(record);
  }

  async findByEmail(email: string): Promise<User | null> {
    const record = await this.store.run(({ users }) =>
      users.findOne({ email: { $eq: email } }).lean(),
    );
    return record && toUser(record);
  }

  async list(after: string | undefined, limit: number): Promise<AccountOverview[]> {
    const records = await this.store.run(({ users }) =>
      users
        .find({ email: { $gt: after ?? '' } })
        .sort({ email: 1 })
        .limit(limit)
        .lean(),
    );
    const totals = await readTotals(
      this.store,
      records.map(({ _id }) => _id),
    );
    return records.map((record, index) => {
      const { email, name, createdAt, disabledAt } = toUser(record);
      return { email, name, createdAt, disabledAt, ...totals[index]! };
    });
  }

  resetPassword(_id: AccountId, passwordHash: string, now: Date): Promise<void> {
    const user = new Types.ObjectId(_id);
    return this.store.transaction(_id, async ({ users, sessions, session }) => {
      const set = { $set: { passwordHash, updatedAt: now } };
      await users.updateOne({ _id: user }, set, { session });
      await sessions.deleteMany({ user }, { session });
    });
  }

  changePassword(
    { user: _id, session: current, currentHash, newHash, at }: PasswordChange,
    idempotency?: IdempotencyRecord,
  ): Promise<PasswordChanged | 'wrong_password'> {
    const user = new Types.ObjectId(_id);
    const { quotas } = this.config;
    return runOnce(this.store, quotas, idempotency, _id, async ({ users, sessions, session }) => {
      const { matchedCount } = await users.updateOne(
        { _id: user, passwordHash: { $eq: currentHash } },
        { $set: { passwordHash: newHash, updatedAt: at } },
        { session },
      );
      if (matchedCount === 0) return 'wrong_password';
      const others = { user, _id: { $ne: new Types.ObjectId(current) } };
      await sessions.deleteMany(others, { session });
      return { changedAt: at };
    });
  }

  async disable(email: string, now: Date): Promise<'disabled' | 'already_disabled' | 'not_found'> {
    const found = await this.findByEmail(email);
    if (!found) return 'not_found';
    const user = new Types.ObjectId(found._id);
    return this.store.transaction(found._id, async ({ users, sessions, session }) => {
      const { matchedCount } = await users.updateOne(
        { _id: user, disabledAt: null },
        { $set: { disabledAt: now, updatedAt: now } },
        { session },
      );
      if (matchedCount === 0) return 'already_disabled';
      await sessions.deleteMany({ user }, { session });
      return 'disabled';
    });
  }

  async enable(email: string, now: Date): Promise<'enabled' | 'already_enabled' | 'not_found'> {
    const { matchedCount } = await this.store.run(({ users }) =>
      users.updateOne(
        { email: { $eq: email }, disabledAt: { $ne: null } },
        { $set: { disabledAt: null, updatedAt: now } },
      ),
    );
    if (matchedCount === 1) return 'enabled';
    return (await this.findByEmail(email)) ? 'already_enabled' : 'not_found';
  }
}
