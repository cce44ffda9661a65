import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import type { LoginHashes, Session, StoredRefreshToken } from '../../auth/session.js';
import { type Rotation, SessionsRepository } from '../../auth/sessions.repository.js';
import { insertRecord } from './insert-record.js';
import { MongoStore } from './mongo-store.js';
import { RefreshTokenRecord } from './schemas/refresh-token.schema.js';
import { SessionRecord, toSession, toSessionRecord } from './schemas/session.schema.js';
import { UserRecord } from './schemas/user.schema.js';

@Injectable()
export class MongoSessionsRepository extends SessionsRepository {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(UserRecord.name) private readonly users: Model<UserRecord>,
    @InjectModel(SessionRecord.name) private readonly sessions: Model<SessionRecord>,
    @InjectModel(RefreshTokenRecord.name) private readonly tokens: Model<RefreshTokenRecord>,
  ) {
    super();
  }

  async start(
    session: Session,
    { passwordHash, tokenHash }: LoginHashes,
    now: Date,
  ): Promise<'started' | 'password_changed'> {
    // Outside the transaction: concurrent logins would conflict on the same expired records.
    await Promise.all([
      this.dropExpiredTokens(now),
      this.store.run(() => this.sessions.deleteMany({ expiresAt: { $lte: now } })),
    ]);

    const record = toSessionRecord(session);
    const { _id, expiresAt } = record;
    const token = { tokenHash, session: _id, expiresAt, spentAt: null };
    return this.store.transaction(session.user, async (tx) => {
      // What is merely read, or set to what it is, may change before this commits: only two transactions
      // that change the same record are in conflict.
      const { matchedCount } = await this.users.updateOne(
        { _id: record.user, passwordHash: { $eq: passwordHash } },
        { $set: { latestSession: record._id } },
        { session: tx },
      );
      if (matchedCount === 0) return 'password_changed';
      await insertRecord(this.sessions, record, tx);
      await insertRecord(this.tokens, token, tx);
      return 'started';
    });
  }

  async rotate(tokenHash: string, successor: StoredRefreshToken, now: Date): Promise<Rotation> {
    await this.dropExpiredTokens(now);
    return this.store.transaction(tokenHash, async (tx): Promise<Rotation> => {
      const usable = { tokenHash: { $eq: tokenHash }, expiresAt: { $gt: now } };
      const token = await this.tokens.findOne(usable, null, { session: tx }).lean();
      if (!token) return { outcome: 'unknown' };
      if (token.spentAt) return this.endReplayed(token.session, tx);

      // Two uses of one token, and a use and the end of its session, change the same record: of
      // such two transactions the server lets one commit, and the other begins anew.
      await this.tokens.updateOne({ _id: token._id }, { $set: { spentAt: now } }, { session: tx });
      const { expiresAt } = successor;
      const prolonged = await this.sessions
        .findOneAndUpdate(
          { _id: token.session },
          { $set: { expiresAt } },
          { session: tx, returnDocument: 'after' },
        )
        .lean();
      if (!prolonged) return { outcome: 'unknown' };
      const next = {
        tokenHash: successor.tokenHash,
        session: prolonged._id,
        expiresAt,
        spentAt: null,
      };
      await insertRecord(this.tokens, next, tx);
      return { outcome: 'rotated', session: toSession(prolonged) };
    });
  }

  end(tokenHash: string): Promise<void> {
    return this.store.transaction(tokenHash, async (tx) => {
      const token = await this.tokens
        .findOne({ tokenHash: { $eq: tokenHash } }, null, { session: tx })
        .lean();
      if (token) await this.endSession(token.session, tx);
    });
  }

  private async dropExpiredTokens(now: Date): Promise<void> {
    await this.store.run(() => this.tokens.deleteMany({ expiresAt: { $lte: now } }));
  }

  private async endReplayed(_id: Types.ObjectId, tx: ClientSession): Promise<Rotation> {
    await this.endSession(_id, tx);
    return { outcome: 'replayed' };
  }

  private async endSession(_id: Types.ObjectId, tx: ClientSession): Promise<void> {
    await this.sessions.deleteOne({ _id }, { session: tx });
    await this.tokens.deleteMany({ session: _id }, { session: tx });
  }
}
