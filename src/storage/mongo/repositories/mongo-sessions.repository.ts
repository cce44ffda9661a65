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
import { MongoStore, type Transaction } from '../connection/mongo-store.js';
import { insertRecord, statementOptions } from '../connection/statement-deadline.js';
import {
  type LoginAddressRecord,
  type SessionRecord,
  toSession,
  toSessionRecord,
} from '../schemas/session.schema.js';

@Injectable()
export class MongoSessionsRepository extends SessionsRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  start(
    session: Session,
    { passwordHash, addressHash, ...token }: LoginHashes,
  ): Promise<'started' | 'password_changed' | 'account_disabled'> {
    const record = toSessionRecord(session, token);
    const { _id, user, startedAt } = record;
    return this.store.transaction(session.user, async (tx) => {
      const proven = { _id: user, passwordHash: { $eq: passwordHash } };
      // A new value, because transactions conflict only over records that they change: a password change must conflict.
      const { matchedCount } = await tx.users.updateOne(
        { ...proven, disabledAt: null },
        { $set: { latestSession: _id } },
        { session: tx.session },
      );
      if (matchedCount === 0) {
        const isProven = await tx.users.exists(proven).session(tx.session);
        return isProven ? 'account_disabled' : 'password_changed';
      }
      await insertRecord(tx.sessions, record, tx.session);
      await endOldest(tx, record);
      await rememberAddress(tx, { _id: addressHash, user, usedAt: startedAt });
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
    // A transaction is retried until its outcome is known. If a rotation were reported as failed, the caller would
    // send the spent token again and lose the session.
    return this.store.transaction(familyHash, async ({ sessions, session }): Promise<Rotation> => {
      const rotated = await sessions.collection.findOneAndUpdate(
        { tokenHash, expiresAt: { $gt: now } },
        [{ $set: { tokenHash: successor.tokenHash, familyHash, expiresAt } }],
        { session, returnDocument: 'after', ...statementOptions() },
      );
      if (rotated) {
        return { outcome: 'rotated', session: toSession(rotated as unknown as SessionRecord) };
      }
      const replayed = { familyHash, tokenHash: { $ne: tokenHash }, expiresAt: { $gt: now } };
      const ended = await sessions.findOneAndDelete(replayed, { session }).lean();
      return ended ? { outcome: 'replayed', session: toSession(ended) } : { outcome: 'unknown' };
    });
  }

  async end({ familyHash, tokenHash }: RefreshTokenHashes): Promise<Session | null> {
    const either = { $or: [{ familyHash }, { tokenHash }] };
    const ended = await this.store.run(({ sessions }) => sessions.findOneAndDelete(either).lean());
    return ended && toSession(ended);
  }

  async isKnownAddress(_id: string): Promise<boolean> {
    const known = await this.store.run(({ loginAddresses }) =>
      loginAddresses.exists({ _id: { $eq: _id } }),
    );
    return known !== null;
  }
}

async function endOldest(
  { sessions, session }: Transaction,
  { _id, user }: SessionRecord,
): Promise<void> {
  const oldest = await sessions
    .find({ user, _id: { $ne: _id } }, { _id: 1 }, { session })
    .sort({ expiresAt: -1, _id: -1 })
    .skip(MAX_SESSIONS - 1)
    .lean();
  if (oldest.length === 0) return;
  const ids = oldest.map((record) => record._id);
  await sessions.deleteMany({ _id: { $in: ids } }, { session });
}

/** Stores the address of a login, and keeps only the newest ones of the account. */
async function rememberAddress(
  { loginAddresses, session }: Transaction,
  { _id, user, usedAt }: LoginAddressRecord,
): Promise<void> {
  await loginAddresses.updateOne(
    { _id: { $eq: _id } },
    { $set: { user, usedAt } },
    { session, upsert: true },
  );
  const oldest = await loginAddresses
    .find({ user, _id: { $ne: _id } }, { _id: 1 }, { session })
    .sort({ usedAt: -1 })
    .skip(MAX_LOGIN_ADDRESSES - 1)
    .lean();
  if (oldest.length === 0) return;
  const ids = oldest.map((record) => record._id);
  await loginAddresses.deleteMany({ _id: { $in: ids } }, { session });
}
