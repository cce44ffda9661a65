import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model } from 'mongoose';
import {
  type LoginHashes,
  MAX_SESSIONS,
  type RefreshTokenHashes,
  type Session,
  SESSION_LIFE,
  type SuccessorToken,
} from '../../auth/sessions/session.js';
import { type Rotation, SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { insertRecord } from './insert-record.js';
import { MongoLoginAddresses } from './mongo-login-addresses.js';
import { MongoStore } from './mongo-store.js';
import { SessionRecord, toSession, toSessionRecord } from './schemas/session.schema.js';
import { UserRecord } from './schemas/user.schema.js';
import { statementOptions } from './statement-deadline.js';

/** Expired sessions that a login deletes, so that no request pays for all of them. */
const DELETED_AT_ONCE = 100;

@Injectable()
export class MongoSessionsRepository extends SessionsRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly addresses: MongoLoginAddresses,
    @InjectModel(UserRecord.name) private readonly users: Model<UserRecord>,
    @InjectModel(SessionRecord.name) private readonly sessions: Model<SessionRecord>,
  ) {
    super();
  }

  async start(
    session: Session,
    { passwordHash, addressHash, ...token }: LoginHashes,
  ): Promise<'started' | 'password_changed' | 'account_disabled'> {
    // Outside the transaction: concurrent logins would conflict on the same expired records.
    await this.deleteExpired(session.startedAt);

    const record = toSessionRecord(session, token);
    const { _id, user, startedAt } = record;
    return this.store.transaction(session.user, async (tx) => {
      const proven = { _id: user, passwordHash: { $eq: passwordHash } };
      // What is merely read, or set to what it is, may change before this commits: only two transactions
      // that change the same record are in conflict.
      const { matchedCount } = await this.users.updateOne(
        { ...proven, disabledAt: null },
        { $set: { latestSession: _id } },
        { session: tx },
      );
      if (matchedCount === 0) {
        return (await this.users.exists(proven).session(tx))
          ? 'account_disabled'
          : 'password_changed';
      }
      await insertRecord(this.sessions, record, tx);
      await this.endOldest(record, tx);
      await this.addresses.remember({ _id: addressHash, user, usedAt: startedAt }, tx);
      return 'started';
    });
  }

  rotate(
    { familyHash, tokenHash }: RefreshTokenHashes,
    successor: SuccessorToken,
    now: Date,
  ): Promise<Rotation> {
    const latestExpiry = { $add: ['$startedAt', SESSION_LIFE] };
    const expiresAt = { $min: [successor.expiresAt, latestExpiry] };
    // A transaction, as it tries again until its outcome is known: one that was told a failure would come
    // again with a spent token.
    return this.store.transaction(familyHash, async (tx): Promise<Rotation> => {
      const rotated = await this.sessions.collection.findOneAndUpdate(
        { tokenHash, expiresAt: { $gt: now } },
        [{ $set: { tokenHash: successor.tokenHash, familyHash, expiresAt } }],
        { session: tx, returnDocument: 'after', ...statementOptions() },
      );
      if (rotated)
        return { outcome: 'rotated', session: toSession(rotated as unknown as SessionRecord) };
      const replayed = { familyHash, tokenHash: { $ne: tokenHash }, expiresAt: { $gt: now } };
      const ended = await this.sessions.findOneAndDelete(replayed, { session: tx }).lean();
      return ended ? { outcome: 'replayed', session: toSession(ended) } : { outcome: 'unknown' };
    });
  }

  async end({ familyHash, tokenHash }: RefreshTokenHashes): Promise<Session | null> {
    const either = { $or: [{ familyHash }, { tokenHash }] };
    const ended = await this.store.run(() => this.sessions.findOneAndDelete(either).lean());
    return ended && toSession(ended);
  }

  isKnownAddress(addressHash: string): Promise<boolean> {
    return this.addresses.isKnown(addressHash);
  }

  private async deleteExpired(now: Date): Promise<void> {
    const expired = { expiresAt: { $lte: now } };
    const some = await this.store.run(() =>
      this.sessions.find(expired, { _id: 1 }).limit(DELETED_AT_ONCE).lean(),
    );
    if (some.length === 0) return;
    const ids = some.map(({ _id }) => _id);
    await this.store.run(() => this.sessions.deleteMany({ _id: { $in: ids } }));
  }

  private async endOldest({ _id, user }: SessionRecord, tx: ClientSession): Promise<void> {
    const oldest = await this.sessions
      .find({ user, _id: { $ne: _id } }, { _id: 1 }, { session: tx })
      .sort({ expiresAt: -1, _id: -1 })
      .skip(MAX_SESSIONS - 1)
      .lean();
    if (oldest.length === 0) return;
    const ids = oldest.map((record) => record._id);
    await this.sessions.deleteMany({ _id: { $in: ids } }, { session: tx });
  }
}
