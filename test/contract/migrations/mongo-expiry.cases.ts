import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { INDEX_BUILD_IN_PROGRESS } from '../../../src/storage/mongo/connection/driver-errors.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { useMigratedDatabase } from '../use-migrated-database.js';
import { useOwnMongod } from '../use-own-mongod.js';

const COLLECTIONS = ['sessions', 'idempotency_records'];
const DAY_MS = 86_400_000;

const DONE = [
  ...['life-of-a-license', 'search-emails', 'families-of-sessions', 'idempotency-records'],
  'correct-search-forms',
];

describeOnMongo('a database whose server deletes no expired record', () => {
  const { store, startAgain, migrateAgain } = useMigratedDatabase(DONE, async (earlier) => {
    await earlier.createCollection('users');
    for (const name of COLLECTIONS) await earlier.collection(name).createIndex({ expiresAt: 1 });
  });

  const indexesOf = async (collection: string) => {
    const indexes = await store.collection(collection).indexes();
    return indexes
      .filter(({ key }) => 'expiresAt' in key)
      .map(({ expireAfterSeconds }) => expireAfterSeconds);
  };

  it.each(COLLECTIONS)('gets one TTL index of %s in place of the index it had', async (name) => {
    expect(await indexesOf(name)).toStrictEqual([86_400]);
  });

  it('gets it after the index build of another instance, for which it says once that it waits', async () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const isBuilding = { failCommands: ['collMod'], errorCode: INDEX_BUILD_IN_PROGRESS };
    await store.whileInjecting(isBuilding, () => migrateAgain('expiry-by-ttl'), 2);
    expect(await Promise.all(COLLECTIONS.map(indexesOf))).toStrictEqual([[86_400], [86_400]]);
    const waits = 'expiry-by-ttl waits for an index that another instance builds';
    expect(log.mock.calls.filter(([line]) => line === waits)).toHaveLength(1);
    log.mockRestore();
  });

  it('keeps it when another instance starts', async () => {
    await startAgain();
    expect(await Promise.all(COLLECTIONS.map(indexesOf))).toStrictEqual([[86_400], [86_400]]);
  });
});

describeOnMongo('the TTL indexes', () => {
  const { store } = useOwnMongod((uri) => MongoUnderTest.open(uri));

  it('delete a record a day after its expiry, and no other', async () => {
    const admin = store.connection.getClient().db('admin');
    const hoursAgo = [25, 23];
    const records = hoursAgo.map((hours) => ({
      ...{ _id: newObjectId() as never, hours, familyHash: newObjectId() },
      expiresAt: new Date(Date.now() - (hours * DAY_MS) / 24),
    }));
    const collections = COLLECTIONS.map((name) => store.collection(name));
    for (const collection of collections) await collection.insertMany(records);
    await admin.command({ setParameter: 1, ttlMonitorEnabled: true });
    const left = async () => {
      const found = await Promise.all(collections.map((one) => one.find().toArray()));
      return found.flat().map(({ hours }) => Number(hours));
    };
    while ((await left()).includes(25)) await setTimeout(100);
    expect(await left()).toStrictEqual([23, 23]);
  });
});
