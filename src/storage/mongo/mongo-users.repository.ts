import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type {
  AccountOverview,
  PasswordChange,
  PasswordChanged,
  User,
} from '../../auth/accounts/user.js';
import { UsersRepository } from '../../auth/accounts/users.repository.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { isDuplicateOf } from './duplicate-key.js';
import { insertRecord } from './insert-record.js';
import { MongoIdempotentWrites } from './mongo-idempotent-writes.js';
import { MongoStore } from './mongo-store.js';
import { MongoTotals } from './mongo-totals.js';
import { DeploymentRecord, FIRST_ACCOUNT } from './schemas/deployment.schema.js';
import { SessionRecord } from './schemas/session.schema.js';
import { toUser, toUserRecord, UserRecord } from './schemas/user.schema.js';

@Injectable()
export class MongoUsersRepository extends UsersRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly writes: MongoIdempotentWrites,
    private readonly totals: MongoTotals,
    @InjectModel(DeploymentRecord.name) private readonly deployment: Model<DeploymentRecord>,
    @InjectModel(UserRecord.name) private readonly users: Model<UserRecord>,
    @InjectModel(SessionRecord.name) private readonly sessions: Model<SessionRecord>,
  ) {
    super();
  }

  async create(user: User): Promise<'created' | 'email_taken'> {
    try {
      await this.store.run(() => insertRecord(this.users, toUserRecord(user)));
      return 'created';
    } catch (error) {
      if (isDuplicateOf('email', error)) return 'email_taken';
      throw error;
    }
  }

  createFirst(user: User): Promise<'created' | 'not_first'> {
    return this.store.transaction(FIRST_ACCOUNT, async (tx) => {
      if (await this.users.exists({}).session(tx)) return 'not_first';
      // That there is no account is merely read: this is what two transactions are in conflict over.
      await this.deployment.updateOne(
        { _id: { $eq: FIRST_ACCOUNT } },
        { $set: { value: user._id } },
        { session: tx, upsert: true },
      );
      await insertRecord(this.users, toUserRecord(user), tx);
      return 'created';
    });
  }

  async exist(): Promise<boolean> {
    return (await this.store.run(() => this.users.exists({}))) !== null;
  }

  async findById(_id: AccountId): Promise<User | null> {
    const record = await this.store.run(() =>
      this.users.findOne({ _id: new Types.ObjectId(_id) }).lean(),
    );
    return record && toUser(record);
  }

  async findByEmail(email: string): Promise<User | null> {
    const record = await this.store.run(() => this.users.findOne({ email: { $eq: email } }).lean());
    return record && toUser(record);
  }

  async list(after: string | undefined, limit: number): Promise<AccountOverview[]> {
    const records = await this.store.run(() =>
      this.users
        .find({ email: { $gt: after ?? '' } })
        .sort({ email: 1 })
        .limit(limit)
        .lean(),
    );
    const totals = await this.totals.ofAll(records.map(({ _id }) => _id));
    return records.map((record, index) => {
      const { email, name, createdAt, disabledAt } = toUser(record);
      return { email, name, createdAt, disabledAt, ...totals[index]! };
    });
  }

  resetPassword(_id: AccountId, passwordHash: string, now: Date): Promise<void> {
    const user = new Types.ObjectId(_id);
    return this.store.transaction(_id, async (tx) => {
      const set = { $set: { passwordHash, updatedAt: now } };
      await this.users.updateOne({ _id: user }, set, { session: tx });
      await this.sessions.deleteMany({ user }, { session: tx });
    });
  }

  changePassword(
    { user: _id, session, currentHash, newHash, at }: PasswordChange,
    idempotency?: IdempotencyRecord,
  ): Promise<PasswordChanged | 'wrong_password'> {
    const user = new Types.ObjectId(_id);
    return this.writes.transaction(idempotency, _id, async (tx) => {
      const { matchedCount } = await this.users.updateOne(
        { _id: user, passwordHash: { $eq: currentHash } },
        { $set: { passwordHash: newHash, updatedAt: at } },
        { session: tx },
      );
      if (matchedCount === 0) return 'wrong_password';
      const others = { user, _id: { $ne: new Types.ObjectId(session) } };
      await this.sessions.deleteMany(others, { session: tx });
      return { changedAt: at };
    });
  }

  async disable(email: string, now: Date): Promise<'disabled' | 'already_disabled' | 'not_found'> {
    const found = await this.findByEmail(email);
    if (!found) return 'not_found';
    const user = new Types.ObjectId(found._id);
    return this.store.transaction(found._id, async (tx) => {
      const { matchedCount } = await this.users.updateOne(
        { _id: user, disabledAt: null },
        { $set: { disabledAt: now, updatedAt: now } },
        { session: tx },
      );
      if (matchedCount === 0) return 'already_disabled';
      await this.sessions.deleteMany({ user }, { session: tx });
      return 'disabled';
    });
  }

  async enable(email: string, now: Date): Promise<'enabled' | 'already_enabled' | 'not_found'> {
    const { matchedCount } = await this.store.run(() =>
      this.users.updateOne(
        { email: { $eq: email }, disabledAt: { $ne: null } },
        { $set: { disabledAt: null, updatedAt: now } },
      ),
    );
    if (matchedCount === 1) return 'enabled';
    return (await this.findByEmail(email)) ? 'already_enabled' : 'not_found';
  }
}
