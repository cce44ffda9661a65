import { Logger } from '@nestjs/common';
import { type Connection, createConnection } from 'mongoose';
import { databaseOf } from '../../../src/storage/mongo/documents/documents.js';
import {
  type Migration,
  MIGRATIONS_COLLECTION,
  prepareDatabase,
} from '../../../src/storage/mongo/migrations/prepare-database.js';
import type { OpenMode } from '../../../src/storage/open-mode.js';
import { describeOnMongo, newStore } from '../../engines.js';
import { COLLECTIONS } from '../records.js';
import { startupErrorOf } from '../startup-error-of.js';

/** A letter for each migration that a database has had, in order. */
interface History {
  readonly _id: 'history';
  readonly letters: string;
}

describeOnMongo('the migration of a database', () => {
  let uri: string;
  let connection: Connection;
  beforeEach(async () => {
    uri = String(newStore('MongoDB').MONGODB_URI);
    connection = await createConnection(uri).asPromise();
    await start();
    await history().insertOne({ _id: 'history', letters: '' });
  });
  // It logs that it waits.
  beforeEach(() => void jest.spyOn(Logger.prototype, 'log').mockReturnValue());
  afterEach(async () => {
    jest.restoreAllMocks();
    await connection.dropDatabase();
    await connection.close();
  });

  /** Prepares the database as a starting instance does. */
  const start = async (migrations: readonly Migration[] = [], mode: OpenMode = 'service') => {
    const instance = await createConnection(uri).asPromise();
    try {
      await prepareDatabase(instance, COLLECTIONS, mode, migrations);
    } finally {
      await instance.close();
    }
  };
  const history = () => databaseOf(connection).collection<History>('history');
  const append =
    (letter: string): Migration =>
    async (database) => {
      const letters = { $concat: ['$letters', letter] };
      await database.collection<History>('history').updateOne({}, [{ $set: { letters } }]);
    };
  const [a, b, c] = ['a', 'b', 'c'].map(append) as [Migration, Migration, Migration];
  const fail: Migration = () => Promise.reject(new Error('interrupted'));
  const letters = async () => (await history().findOne())!.letters;
  const schemas = () => databaseOf(connection).collection(MIGRATIONS_COLLECTION);
  const schema = () => schemas().findOne();

  it('runs each migration once, in order, for three instances that start at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => start([a, b])));
    expect(await letters()).toBe('ab');
    expect(await schema()).toEqual({ _id: 'schema', version: 3 });
    await start([a, b, c]);
    expect(await letters()).toBe('abc');
  });

  it.each(['service', 'command'] as const)(
    'is not due on a new database for a %s',
    async (mode) => {
      await connection.dropDatabase();
      await start([fail], mode);
      expect(await schema()).toEqual({ _id: 'schema', version: 2 });
      expect(await databaseOf(connection).collection('shelves').indexes()).toHaveLength(3);
    },
  );

  it('restarts the migration that was interrupted, once its instance is taken to be dead', async () => {
    const isAhead = / has schema 3 and this program knows 1: /;
    await expect(start([a, fail, c])).rejects.toThrow('interrupted');
    // The version before starts on a database of the next schema, but not of this one, done or not.
    expect(await startupErrorOf(start())).toMatch(isAhead);
    await schemas().updateOne({}, { $set: { until: new Date(0) } });
    await start([a, b, c]);
    expect(await letters()).toBe('abc');
    expect(await schema()).toEqual({ _id: 'schema', version: 4 });
  });

  it('is left to the service by a command', async () => {
    const isBehind = /was written by an earlier version: start the service of this version first/;
    expect(await startupErrorOf(start([a], 'command'))).toMatch(isBehind);
    await expect(start([fail])).rejects.toThrow('interrupted');
    expect(await startupErrorOf(start([fail], 'command'))).toMatch(isBehind);
    expect(await letters()).toBe('');
  });
});
