import type { mongo } from 'mongoose';
import { newObjectId } from '../../shared/ids.js';
import { isOutage } from './driver-errors.js';

/** Renewal interval and lifetime of a lease by MongoDB's clock, in milliseconds. */
const RENEWAL = 1_000;
const LIFE = 4_000;
/** Timeout of one statement, in milliseconds. */
const TIMEOUT = 2_000;

interface Lease {
  readonly _id: string;
  /** The sessions that run this instance's transactions. */
  readonly sessions: readonly unknown[];
  readonly until: Date;
  /** The schema of its program. */
  readonly schema: number;
}

const leasesIn = (database: mongo.Db) => database.collection<Lease>('instances');

/** The lowest schema of a running instance's program; undefined if none runs. */
export async function lowestSchema(database: mongo.Db): Promise<number | undefined> {
  const isHeld = { $expr: { $gte: ['$until', '$$NOW'] } };
  const lowest = await leasesIn(database).findOne(isHeld, { sort: { schema: 1 } });
  return lowest?.schema;
}

/**
 * Publishes this instance's sessions until the connection closes, and ends sessions of killed instances:
 * MongoDB would keep their transactions' locks for more than a minute. Resolves once other instances can read the lease.
 */
export async function leaseSessions(
  client: mongo.MongoClient,
  sessions: readonly mongo.ClientSession[],
  schema: number,
): Promise<void> {
  const _id = newObjectId();
  const leases = leasesIn(client.db());
  const admin = client.db('admin');
  const $literal = sessions.map(({ id }) => id);

  const renew = async () => {
    const options = { signal: AbortSignal.timeout(TIMEOUT), writeConcern: { w: 1 } };
    // Uses one clock, MongoDB's.
    const until = { $add: ['$$NOW', LIFE] };
    const lease = [{ $set: { sessions: { $literal }, until, schema } }];
    await leases.updateOne({ _id }, lease, { upsert: true, ...options });
    const isLapsed = { $expr: { $lt: ['$until', '$$NOW'] } };
    for (const { _id, sessions, until } of await leases.find(isLapsed, options).toArray()) {
      await admin.command({ killSessions: sessions }, options).catch((error) => {
        // Another user's sessions cannot be ended; they expire by transactionLifetimeLimitSeconds.
        if (isOutage(error)) throw error;
      });
      await leases.deleteOne({ _id, until }, options);
    }
  };
  await renew();
  const timer = setInterval(() => void renew().catch(() => undefined), RENEWAL).unref();
  client.once('topologyClosed', () => clearInterval(timer));
}
