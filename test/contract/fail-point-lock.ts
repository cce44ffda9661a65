import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';

/** The age from which a lock was left by a killed process, in milliseconds. */
const ABANDONED_AFTER = 60_000;

/**
 * Locks the fail point `failCommand`: a server has only one, and suites that run side by side share the server.
 *
 * @returns unlocks it
 */
export async function lockFailPoint(client: mongo.MongoClient): Promise<() => Promise<void>> {
  const locks = client.db('fail-point').collection<{ _id: string; since: Date }>('locks');
  const lock = { _id: 'failCommand', since: new Date() };
  for (;;) {
    lock.since = new Date();
    await locks.deleteOne({ since: { $lt: new Date(Date.now() - ABANDONED_AFTER) } });
    try {
      await locks.insertOne(lock);
      break;
    } catch {
      await setTimeout(20);
    }
  }
  return async () => void (await locks.deleteOne(lock));
}
