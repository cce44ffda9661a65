import type { mongo, Types } from 'mongoose';
import type { Migration } from './migration.js';

const DAY = 86_400_000;
const BATCH = 1_000;

/**
 * A session holds its latest token and the time of its login. Refresh tokens lived 30 days, so that time is taken to be
 * 30 days before the latest token expires.
 */
export const familiesOfSessions: Migration = {
  name: 'families-of-sessions',
  schema: 2,
  async change(database) {
    await moveTokens(database);
    await database.collection('sessions').deleteMany({ tokenHash: { $exists: false } });
    await endSurplus(database);
    // Not dropped: an instance that runs this migration at the same moment may still be reading it.
    await database.collection('refresh_tokens').deleteMany({});
  },
};

/** A family begins with the next token: until then no token has its own hash for its family. */
async function moveTokens(database: mongo.Db): Promise<void> {
  const unspent = database
    .collection<{ session: mongo.ObjectId; tokenHash: string }>('refresh_tokens')
    .find({ spentAt: null });
  let batch: mongo.AnyBulkWriteOperation[] = [];
  const write = async () => {
    if (batch.length > 0) await database.collection('sessions').bulkWrite(batch);
    batch = [];
  };
  for await (const { session, tokenHash } of unspent) {
    const startedAt = { $subtract: ['$expiresAt', 30 * DAY] };
    const update = [{ $set: { tokenHash, familyHash: tokenHash, startedAt } }];
    batch.push({ updateOne: { filter: { _id: session, tokenHash: { $exists: false } }, update } });
    if (batch.length === BATCH) await write();
  }
  await write();
}

/** Ends what an account has beyond its newest 100 sessions. */
async function endSurplus(database: mongo.Db): Promise<void> {
  const sessions = database.collection('sessions');
  const crowded = sessions.aggregate<{ _id: Types.ObjectId }>([
    { $group: { _id: '$user', count: { $sum: 1 } } },
    { $match: { count: { $gt: 100 } } },
  ]);
  for await (const { _id: user } of crowded) {
    const surplus = await sessions
      .find({ user }, { projection: { _id: 1 } })
      .sort({ expiresAt: -1, _id: -1 })
      .skip(100)
      .toArray();
    await sessions.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
  }
}
