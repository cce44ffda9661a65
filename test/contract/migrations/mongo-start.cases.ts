import { Test } from '@nestjs/testing';
import { MongoMemoryServer } from 'mongodb-memory-server-core';
import type { mongo } from 'mongoose';
import { StartupError } from '../../../src/shared/errors/startup-error.js';
import { MongoModule } from '../../../src/storage/mongo/mongo.module.js';
import type { OpenMode } from '../../../src/storage/open-mode.js';
import { IS_FULL } from '../../scope.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { COLLECTIONS, ITEMS } from '../records.js';
import { SharedModule } from '../shared.module.js';

const PASSWORD = 'correct-horse';
/** The driver's default timeout for selecting a server; the service sets 5 s. */
const DRIVERS_TIMEOUT_MS = 30_000;

const INDEXES = {
  instances: [],
  upgrades: [],
  items: [
    { key: { code: 1 }, unique: true },
    { key: { shelf: 1, name: 1 }, unique: true },
    { key: { serial: 1 }, unique: true, isPartial: true },
    { key: { shelf: 1, createdAt: 1, _id: 1 }, unique: false },
    { key: { account: 1, state: 1, createdAt: 1, _id: 1 }, unique: false },
    { key: { account: 1, state: 1, rank: 1, _id: 1 }, unique: false },
    { key: { account: 1, createdAt: 1, _id: 1 }, unique: false },
    { key: { account: 1, rank: 1, _id: 1 }, unique: false },
    { key: { account: 1, name: 1, _id: 1 }, unique: false },
    { key: { account: 1, soldAt: 1 }, unique: false },
    { key: { price: 1 }, unique: false },
  ],
  shelves: [
    { key: { account: 1, label: 1 }, unique: true, isPartial: true },
    { key: { account: 1, createdAt: 1, _id: 1 }, unique: false },
  ],
  labels: [],
  idempotency_records: [
    { key: { owner: 1, expiresAt: 1 }, unique: false },
    { key: { expiresAt: 1 }, unique: false, expireAfterSeconds: 86_400 },
  ],
  rate_limit_windows: [{ key: { endsAt: 1 }, unique: false, expireAfterSeconds: 3_600 }],
};

const toShown = ({
  key,
  unique = false,
  expireAfterSeconds,
  partialFilterExpression,
}: mongo.IndexDescriptionInfo) => ({
  ...{ key, unique },
  ...(partialFilterExpression && { isPartial: true }),
  ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
});

const server = (change: (uri: URL) => void): string => {
  const uri = new URL(String(process.env.TEST_MONGODB_URI));
  change(uri);
  return uri.href;
};

const onOwnStore = async (work: (store: MongoUnderTest) => Promise<void>): Promise<void> => {
  const store = await MongoUnderTest.open();
  try {
    await work(store);
  } finally {
    await store.close();
  }
};

/** The message with which the service does not start on this URI. */
const rejectionOf = async (uri: string, mode: OpenMode = 'service'): Promise<string> => {
  const imports = [SharedModule, MongoModule.forRoot(uri, COLLECTIONS, mode)];
  const starting = Test.createTestingModule({ imports }).compile();
  const error = await starting.then(
    () => new Error('it has started'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartupError);
  const { message } = error as StartupError;
  expect(message).toMatch(/^[^\n]+\.$/);
  expect(message).not.toContain(PASSWORD);
  return message;
};

const joined = (store: MongoUnderTest, mode: OpenMode) =>
  MongoUnderTest.connect(new URL(store.uri), { mode });

const SCHEMA = 6;

/** The migrations of a database of version 0.5. */
const OF_0_5 = [
  ...['life-of-a-license', 'search-emails', 'families-of-sessions', 'idempotency-records'],
  ...['correct-search-forms', 'expiry-by-ttl'],
];

/** Makes the store one of an earlier version, without the indexes of items. */
const migratedAs = async (store: MongoUnderTest, migrations: readonly string[]): Promise<void> => {
  const done = store.collection('upgrades');
  await done.deleteMany({});
  if (migrations.length > 0)
    await done.insertMany(migrations.map((_id) => ({ _id: _id as never })));
  await store.collection('items').dropIndexes();
};

/** Makes the store one of a newer version, without the indexes of items and shelves. */
const migratedTo = async (store: MongoUnderTest, record: object): Promise<void> => {
  await store.collection('upgrades').insertOne({ _id: 'of-tomorrow' as never, ...record });
  await store.collection('items').dropIndexes();
  await store.collection('shelves').dropIndexes();
};

// The driver tries to select a server for 5 s.
const itWaits = IS_FULL ? it.concurrent : it.concurrent.skip;

describeOnMongo('starting on MongoDB', () => {
  it.concurrent('creates every index before the store is used', () =>
    onOwnStore(async (store) => {
      const collections = await store.connection.listCollections();
      const indexes = await Promise.all(
        collections.map(async ({ name }) => {
          const all = await store.collection(name).indexes();
          const own = all.filter((index) => index.name !== '_id_');
          return [name, own.map(toShown)] as const;
        }),
      );
      expect(Object.fromEntries(indexes)).toStrictEqual(INDEXES);
    }),
  );

  it.concurrent('writes durably to a majority and reads nothing stale by default', () =>
    onOwnStore(async (store) => {
      expect(store.connection.getClient().options).toMatchObject({
        writeConcern: { w: 'majority', journal: true },
        readConcern: { level: 'majority' },
        readPreference: { mode: 'primary' },
        retryWrites: true,
        retryReads: true,
      });
    }),
  );

  it.concurrent('accepts an up-to-date database, and closes its connections at the end', () =>
    onOwnStore(async (store) => {
      const again = await store.join();
      await again.leave();
      expect(again.connection.readyState).toBe(0);
      await expect(again.store.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    }),
  );

  it.concurrent('rejects a standalone server, and says how to make a replica set', async () => {
    const standalone = await MongoMemoryServer.create({
      instance: { storageEngine: 'wiredTiger', launchTimeout: 60_000, args: ['--nounixsocket'] },
    });
    try {
      const message = await rejectionOf(standalone.getUri());
      expect(message).toContain('must be a replica set or a sharded cluster');
      expect(message).toContain('--replSet');
      expect(message).toContain('rs.initiate()');
    } finally {
      await standalone.stop({ doCleanup: true, force: true });
    }
  });

  itWaits('rejects a missing server, sooner than the driver would', async () => {
    const begin = performance.now();
    const message = await rejectionOf(`mongodb://user:${PASSWORD}@127.0.0.1:1/?replicaSet=rs0`);
    expect(performance.now() - begin).toBeLessThan(DRIVERS_TIMEOUT_MS / 2);
    expect(message).toContain('127.0.0.1:1 did not answer as a primary');
  });

  itWaits('rejects a replica set of another name', async () => {
    const uri = server(({ searchParams }) => searchParams.set('replicaSet', 'another'));
    expect(await rejectionOf(uri)).toContain('correct replicaSet');
  });

  it.concurrent('rejects a wrong password', async () => {
    const uri = server((one) => Object.assign(one, { username: 'nobody', password: PASSWORD }));
    expect(await rejectionOf(uri)).toContain('rejects the user or the password');
  });

  it.concurrent('rejects an invalid URI', async () => {
    expect(await rejectionOf(`mongodb://user:a/${PASSWORD}@localhost`)).toContain('cannot be read');
  });

  it.concurrent('rejects a URI that asks for less durability than is promised', async () => {
    const uri = server(({ searchParams }) => searchParams.set('w', '1'));
    expect(await rejectionOf(uri)).toContain('set w=majority');
  });

  describe.each(['service', 'tool'] as const)('a %s', (mode) => {
    it.concurrent.each([{}, { schema: SCHEMA + 2 }])(
      'rejects a database that has had a migration of a later version, %j, and does not change it',
      (record) =>
        onOwnStore(async (store) => {
          await migratedTo(store, record);
          expect(await rejectionOf(store.uri, mode)).toBe(
            `The database ${store.name} has had the migration of-tomorrow, which this program does not know: ` +
              'start the newer version that has written it.',
          );
          expect(await store.collection('items').indexes()).toHaveLength(1);
        }),
    );

    it.concurrent('runs beside the next version, and leaves its indexes as they are', () =>
      onOwnStore(async (store) => {
        await migratedTo(store, { schema: SCHEMA + 1 });
        const other = await joined(store, mode);
        expect(await other.store.count(ITEMS, {})).toBe(0);
        await other.leave();
        expect(await store.collection('items').indexes()).toHaveLength(1);
      }),
    );
  });

  describe.each(['tool', 'exclusive tool'] as const)('a command as %s', (mode) => {
    it.concurrent('never migrates a database that instances of an earlier version may serve', () =>
      onOwnStore(async (store) => {
        await migratedAs(store, OF_0_5);
        expect(await rejectionOf(store.uri, mode)).toBe(
          `The database ${store.name} was written by an earlier version: ` +
            'start the service of this version first, which migrates it.',
        );
        expect(await store.collection('upgrades').countDocuments()).toBe(OF_0_5.length);
        expect(await store.collection('items').indexes()).toHaveLength(1);
      }),
    );

    it.concurrent('prepares an empty database', () =>
      onOwnStore(async (store) => {
        await store.connection.dropDatabase();
        await (await joined(store, mode)).leave();
        expect(await store.collection('upgrades').countDocuments()).toBeGreaterThan(0);
        expect(await store.collection('shelves').indexes()).toHaveLength(3);
      }),
    );
  });

  it.concurrent.each([[OF_0_5.slice(0, -1)], [[]]])(
    'rejects a database of a version before 0.5, which has had %j, and does not change it',
    (done) =>
      onOwnStore(async (store) => {
        await migratedAs(store, done);
        await store.collection('users').insertOne({});
        expect(await rejectionOf(store.uri)).toBe(
          `The database ${store.name} was written by a version before 0.5: ` +
            'start the service of version 0.5 on it once, then this version.',
        );
        expect(await store.collection('items').indexes()).toHaveLength(1);
      }),
  );

  it.concurrent('rejects a database whose indexes conflict with those of the service', () =>
    onOwnStore(async (store) => {
      await store.collection('items').dropIndexes();
      await store.collection('items').createIndex({ rank: 1 }, { name: 'items_by_code' });
      expect(await rejectionOf(store.uri)).toContain(
        'does not allow the service to prepare the database',
      );
    }),
  );
});
