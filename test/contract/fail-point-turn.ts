import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';

/** Whoever has had it for longer was killed, in milliseconds. */
const FORGOTTEN = 60_000;

/**
 * Waits until no other suite of this run injects failures: a server has one fail point, and suites that
 * run side by side share the server.
 *
 * @returns gives the turn to the next one
 */
export async function takeFailPoint(client: mongo.MongoClient): Promise<() => Promise<void>> {
  const turns = client.db('fail-point').collection<{ _id: string; since: Date }>('turns');
  const mine = { _id: 'failCommand', since: new Date() };
  for (;;) {
    mine.since = new Date();
    await turns.deleteOne({ since: { $lt: new Date(Date.now() - FORGOTTEN) } });
    try {
      await turns.insertOne(mine);
      break;
    } catch {
      await setTimeout(20);
    }
  }
  return async () => void (await turns.deleteOne(mine));
}
