import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';

/** The age from which a lock was left by a killed process, in milliseconds. */
const ABANDONED_AFTER = 60_000;

/** A failure that the server injects into commands of one client: the data of its fail point `failCommand`. */
export interface Failure {
  readonly failCommands: string[];
  readonly [field: string]: unknown;
}

/** Every command, the first `times` commands, or every command but the first `skip`. */
export type Which = 'alwaysOn' | { times: number } | { skip: number };

/**
 * Does the work while commands fail. A server has one such fail point, and suites that run side by side share the server.
 *
 * @param client controls the fail point
 * @param appName of the clients whose commands fail
 */
export async function whileFailing<T>(
  client: mongo.MongoClient,
  appName: string,
  failure: Failure,
  mode: Which,
  work: () => Promise<T>,
): Promise<T> {
  const configure = (fields: object) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', ...fields });
  const locks = client.db('fail-point').collection<{ _id: string; since: Date }>('locks');
  const lock = async (): Promise<boolean> => {
    await locks.deleteOne({ since: { $lt: new Date(Date.now() - ABANDONED_AFTER) } });
    return locks.insertOne({ _id: 'failCommand', since: new Date() }).then(
      () => true,
      () => false,
    );
  };
  while (!(await lock())) await setTimeout(20);
  try {
    await configure({ mode, data: { appName, ...failure } });
    return await work();
  } finally {
    await configure({ mode: 'off' });
    await locks.deleteOne({ _id: 'failCommand' });
  }
}
