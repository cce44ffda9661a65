import { Logger } from '@nestjs/common';
import type { Connection } from 'mongoose';
import { connect } from '../../../src/storage/mongo/connect.js';
import {
  DATABASE_INFO,
  type Migration,
  prepareDatabase,
} from '../../../src/storage/mongo/prepare-database.js';
import { leaseSessions } from '../../../src/storage/mongo/session-lease.js';
import type { OpenMode } from '../../../src/storage/store.js';
import { describeOnMongo, newStore } from '../../engines.js';
import { COLLECTIONS } from '../records.js';
import { startupErrorOf } from '../startup-error-of.js';

/** Maximum delay by which a killed instance may block the next instance's migration, in milliseconds. */
const LONGEST_CLAIM = 10_000;

describeOnMongo('the migration of a database', () => {
  let uri: string;
  let connection: Connection;
  beforeEach(async () => {
    uri = String(newStore('MongoDB').MONGODB_URI);
    connection = await connect(uri);
    await start();
    await history().insertOne({ letters: '' });
  });
  beforeEach(() => void jest.spyOn(Logger.prototype, 'log').mockReturnValue());
  afterEach(async () => {
    jest.restoreAllMocks();
    await connection.dropDatabase();
    await connection.close();
  });

  /** Prepares the database like a starting instance. */
  const start = async (migrations: readonly Migration[] = [], mode: OpenMode = 'service') => {
    const instance = await connect(uri);
    try {
      await prepareDatabase(instance, COLLECTIONS, mode, migrations);
    } finally {
      await instance.close();
    }
  };
  /** One record with a letter per applied migration, in order. */
  const history = () => connection.db!.collection('history');
  const letters = async () => (await history().findOne())!.letters as string;
  const append =
    (letter: string): Migration =>
    async (database) => {
      const text = { $concat: ['$letters', letter] };
      await database.collection('history').updateOne({}, [{ $set: { letters: text } }]);
    };
  const [a, b, c] = ['a', 'b', 'c'].map(append) as [Migration, Migration, Migration];
  const fail: Migration = () => Promise.reject(new Error('interrupted'));
  const info = () => connection.db!.collection(DATABASE_INFO);
  const claim = async () => (await info().findOne())!.claimedUntil as Date;

  it('runs once, in order, for three concurrently starting instances, while its claim is renewed', async () => {
    const slow: Migration = async (database) => {
      const first = (await claim()).getTime();
      while ((await claim()).getTime() === first) continue;
      await a(database);
    };
    const served = async () => {
      await start([slow, b]);
      return letters();
    };
    expect(await Promise.all([1, 2, 3].map(served))).toEqual(['ab', 'ab', 'ab']);
    expect(await info().findOne()).toEqual({ _id: 'schema', version: 3 });
    await start([slow, b, c]);
    expect(await letters()).toBe('abc');
  });

  it.each(['service', 'command'] as const)(
    'is not due on a new database for a %s',
    async (mode) => {
      await connection.dropDatabase();
      await start([fail], mode);
      expect(await info().findOne()).toEqual({ _id: 'schema', version: 2 });
      expect(await connection.db!.collection('shelves').indexes()).toHaveLength(3);
    },
  );

  it('resumes from the interrupted migration once the claim of its instance has lapsed', async () => {
    await expect(start([a, fail, c])).rejects.toThrow('interrupted');
    // The version before starts on a database of the next schema, but not of the one after that, complete or not.
    expect(await startupErrorOf(start())).toMatch(/ has schema 3 but this program supports 1\. /);
    await start([a]);
    expect((await claim()).getTime() - Date.now()).toBeLessThanOrEqual(LONGEST_CLAIM);
    await info().updateOne({}, { $set: { claimedUntil: new Date() } });
    await start([a, b, c]);
    expect(await letters()).toBe('abc');
    expect(await info().findOne()).toEqual({ _id: 'schema', version: 4 });
  });

  it('does not start while an instance is running that could not use its result', async () => {
    const old = await connect(uri);
    // The instance starts during the migration that it can use.
    const delayed: Migration = async (database) => {
      await leaseSessions(old.getClient(), [old.getClient().startSession()], 1);
      await a(database);
    };
    const isServed = / in use by an instance of schema 1\. Stop all /;
    expect(await startupErrorOf(start([delayed, b]))).toMatch(isServed);
    expect(await startupErrorOf(start([a, b]))).toMatch(isServed);
    expect(await letters()).toBe('a');
    expect(await info().findOne()).toEqual({ _id: 'schema', version: 2 });
    await old.close();
    await connection.db!.collection('instances').deleteMany({});
    await start([a, b]);
    expect(await letters()).toBe('ab');
  });

  it('is left to the service by a command', async () => {
    const isBehind = /was written by an earlier version\. Start this version of the service first/;
    expect(await startupErrorOf(start([a], 'command'))).toMatch(isBehind);
    await expect(start([fail])).rejects.toThrow('interrupted');
    expect(await startupErrorOf(start([fail], 'command'))).toMatch(isBehind);
    expect(await letters()).toBe('');
  });
});
