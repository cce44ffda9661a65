import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type ClientSession, type Model, type QueryFilter, Types } from 'mongoose';
import type { PasswordChange, PasswordChanged, User } from '../../auth/user.js';
import { UsersRepository } from '../../auth/users.repository.js';
import type { IdempotencyClaim } from '../../shared/idempotency/idempotency-claim.js';
import { isDuplicateOf } from './duplicate-key.js';
import { insertRecord } from './insert-record.js';
import { MongoClaimedWrites } from './mongo-claimed-writes.js';
import { MongoStore } from './mongo-store.js';
import { RefreshTokenRecord } from './schemas/refresh-token.schema.js';
import { SessionRecord } from './schemas/session.schema.js';
import { toUser, toUserRecord, UserRecord } from './schemas/user.schema.js';

@Injectable()
export class MongoUsersRepository extends UsersRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly writes: MongoClaimedWrites,
    @InjectModel(UserRecord.name) private readonly users: Model<UserRecord>,
    @InjectModel(SessionRecord.name) private readonly sessions: Model<SessionRecord>,
    @InjectModel(RefreshTokenRecord.name) private readonly tokens: Model<RefreshTokenRecord>,
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

  async findById(_id: string): Promise<User | null> {
    const record = await this.store.run(() =>
      this.users.findOne({ _id: new Types.ObjectId(_id) }).lean(),
    );
    return record && toUser(record);
  }

  async findByEmail(email: string): Promise<User | null> {
    const record = await this.store.run(() => this.users.findOne({ email: { $eq: email } }).lean());
    return record && toUser(record);
  }

  resetPassword(_id: string, passwordHash: string, now: Date): Promise<void> {
    const user = new Types.ObjectId(_id);
    return this.store.transaction(_id, async (tx) => {
      const set = { $set: { passwordHash, updatedAt: now } };
      await this.users.updateOne({ _id: user }, set, { session: tx });
      await this.endSessions({ user }, tx);
    });
  }

  changePassword(
    { user: _id, session, currentHash, newHash, at }: PasswordChange,
    claim?: IdempotencyClaim,
  ): Promise<PasswordChanged | 'wrong_password'> {
    const user = new Types.ObjectId(_id);
    return this.writes.transaction(claim, _id, async (tx) => {
      const { matchedCount } = await this.users.updateOne(
        { _id: user, passwordHash: { $eq: currentHash } },
        { $set: { passwordHash: newHash, updatedAt: at } },
        { session: tx },
      );
      if (matchedCount === 0) return 'wrong_password';
      await this.endSessions({ user, _id: { $ne: new Types.ObjectId(session) } }, tx);
      return { changedAt: at };
    });
  }

  private async endSessions(which: QueryFilter<SessionRecord>, tx: ClientSession): Promise<void> {
    const ended = await this.sessions.find(which, { _id: 1 }, { session: tx }).lean();
    const ids = ended.map((record) => record._id);
    await this.sessions.deleteMany({ _id: { $in: ids } }, { session: tx });
    await this.tokens.deleteMany({ session: { $in: ids } }, { session: tx });
  }
}
