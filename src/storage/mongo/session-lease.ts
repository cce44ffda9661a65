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

/** The lowest schema of any running instance's program; undefined if none is running. */
export async function lowestSchema(database: mongo.Db): Promise<number | undefined> {
  const isHeld = { $expr: { $gte: ['$until', '$$NOW'] } };
  const lowest = await leasesIn(database).findOne(isHeld, { sort: { schema: 1 } });
  return lowest?.schema;
}

/**
 * Ends the sessions of an unfinished copy. If the copy was killed, MongoDB would keep its transaction's
 * locks for more than a minute.
 */
export async function endSessionsOfCopy(client: mongo.MongoClient): Promise<void> {
  for (const { sessions } of await leasesIn(client.db()).find().toArray()) {
    await killSessions(client, sessions);
  }
}

/** Another user's sessions cannot be ended; they expire by transactionLifetimeLimitSeconds. */
const killSessions = (
  client: mongo.MongoClient,
  sessions: Lease['sessions'],
  options: mongo.RunCommandOptions = {},
) =>
  client
    .db('admin')
    .command({ killSessions: sessions }, options)
    .catch((error) => {
      if (isOutage(error)) throw error;
    });

/**
 * Publishes this instance's sessions until the connection closes, and ends sessions of killed instances,
 * because MongoDB would keep their transactions' locks for more than a minute. Resolves once other
 * instances can read the lease.
 */
export async function leaseSessions(
  client: mongo.MongoClient,
  sessions: readonly mongo.ClientSession[],
  schema: number,
): Promise<void> {
  const _id = newObjectId();
  const leases = leasesIn(client.db());
  const $literal = sessions.map(({ id }) => id);

  const renew = async (w: mongo.W = 1) => {
    const options = { signal: AbortSignal.timeout(TIMEOUT), writeConcern: { w } };
    // Uses only MongoDB's clock.
    const until = { $add: ['$$NOW', LIFE] };
    const lease = [{ $set: { sessions: { $literal }, until, schema } }];
    await leases.updateOne({ _id }, lease, { upsert: true, ...options });
    const isLapsed = { $expr: { $lt: ['$until', '$$NOW'] } };
    for (const { _id, sessions, until } of await leases.find(isLapsed, options).toArray()) {
      await killSessions(client, sessions, options);
      await leases.deleteOne({ _id, until }, options);
    }
  };
  await renew('majority');
  const timer = setInterval(() => void renew().catch(() => undefined), RENEWAL).unref();
  client.once('topologyClosed', () => clearInterval(timer));
}
