import { Test } from '@nestjs/testing';
import { MongoMemoryServer } from 'mongodb-memory-server-core';
import type { mongo } from 'mongoose';
import { StartupError } from '../../../src/shared/errors/startup-error.js';
import { MongoModule } from '../../../src/storage/mongo/mongo.module.js';
import type { StoreUser } from '../../../src/storage/store-user.js';
import { IS_FULL } from '../../scope.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { QuotasModule } from '../quotas.module.js';

const PASSWORD = 'correct-horse';
/** The driver's default timeout for selecting a server; the service sets 5 s. */
const DRIVERS_TIMEOUT_MS = 30_000;

const INDEXES = {
  deployment: [],
  upgrades: [],
  totals: [],
  users: [{ key: { email: 1 }, unique: true }],
  sessions: [
    { key: { user: 1 }, unique: false },
    { key: { expiresAt: 1 }, unique: false, expireAfterSeconds: 86_400 },
    { key: { familyHash: 1 }, unique: false },
    { key: { tokenHash: 1 }, unique: false },
  ],
  login_addresses: [{ key: { user: 1 }, unique: false }],
  deleted_accounts: [],
  clients: [
    { key: { email: 1 }, unique: true },
    { key: { owner: 1, createdAt: -1, _id: -1 }, unique: false },
    { key: { owner: 1, searchName: 1 }, unique: false },
    { key: { owner: 1, searchEmail: 1 }, unique: false },
  ],
  projects: [
    { key: { owner: 1, createdAt: -1, _id: -1 }, unique: false },
    { key: { client: 1, createdAt: -1, _id: -1 }, unique: false },
    { key: { owner: 1, product: 1, createdAt: -1, _id: -1 }, unique: false },
  ],
  licenses: [
    { key: { keyHash: 1 }, unique: true },
    { key: { user: 1, createdAt: -1, _id: -1 }, unique: false },
    { key: { user: 1, status: 1, createdAt: -1, _id: -1 }, unique: false },
    { key: { client: 1, createdAt: -1, _id: -1 }, unique: false },
    { key: { project: 1, createdAt: -1, _id: -1 }, unique: false },
    { key: { project: 1, status: 1, expiresAt: 1 }, unique: false },
    { key: { user: 1, expiresAt: -1, _id: -1 }, unique: false },
    { key: { user: 1, status: 1, expiresAt: -1, _id: -1 }, unique: false },
    { key: { user: 1, product: 1, createdAt: -1, _id: -1 }, unique: false },
    { key: { user: 1, product: 1, expiresAt: -1, _id: -1 }, unique: false },
    { key: { user: 1, activatedAt: 1 }, unique: false },
  ],
  license_events: [
    { key: { license: 1, at: -1, _id: -1 }, unique: false },
    { key: { license: 1, termEndedAt: 1 }, unique: false },
    { key: { license: 1, certificateExpiresAt: -1 }, unique: false },
  ],
  signing_keys: [{ key: { issuer: 1 }, unique: true }],
  idempotency_records: [
    { key: { expiresAt: 1 }, unique: false, expireAfterSeconds: 86_400 },
    { key: { owner: 1, sequence: 1 }, unique: true },
  ],
  rate_limit_windows: [{ key: { endsAt: 1 }, unique: false, expireAfterSeconds: 3_600 }],
};

const toShown = ({ key, unique = false, expireAfterSeconds }: mongo.IndexDescriptionInfo) => ({
  ...{ key, unique },
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
const rejectionOf = async (uri: string, user: StoreUser = 'service'): Promise<string> => {
  const imports = [QuotasModule.of(), MongoModule.forRoot(uri, user)];
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

const SCHEMA = 4;

/** Makes the store one of a newer version, without the indexes of clients and users. */
const migratedTo = async (store: MongoUnderTest, record: object): Promise<void> => {
  await store.collection('upgrades').insertOne({ _id: 'of-tomorrow' as never, ...record });
  await store.collection('clients').dropIndexes();
  await store.collection('users').dropIndexes();
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
      await expect(again.health.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
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

  describe.each(['service', 'tool'] as const)('a %s', (user) => {
    it.concurrent.each([{}, { schema: SCHEMA + 2 }])(
      'rejects a database that has had a migration of a later version, %j, and does not change it',
      (record) =>
        onOwnStore(async (store) => {
          await migratedTo(store, record);
          const name = new URL(store.uri).pathname.slice(1);
          expect(await rejectionOf(store.uri, user)).toBe(
            `The database ${name} has had the migration of-tomorrow, which this program does not know: ` +
              'start the newer version that has written it.',
          );
          expect(await store.collection('clients').indexes()).toHaveLength(1);
        }),
    );

    it.concurrent('runs beside the next version, and leaves its indexes as they are', () =>
      onOwnStore(async (store) => {
        await migratedTo(store, { schema: SCHEMA + 1 });
        await store.collection('users').createIndex({ email: 1 });
        const other = await store.join(user);
        expect(await other.users.exist()).toBe(false);
        await other.leave();
        expect(await store.collection('clients').indexes()).toHaveLength(1);
      }),
    );
  });

  describe.each(['tool', 'exclusive tool'] as const)('a command as %s', (user) => {
    it.concurrent('never migrates a database that instances of an earlier version may serve', () =>
      onOwnStore(async (store) => {
        const migrations = store.collection('upgrades');
        await migrations.deleteOne({ _id: 'correct-search-forms' as never });
        await store.collection('clients').dropIndexes();
        const name = new URL(store.uri).pathname.slice(1);
        const message =
          `The database ${name} was written by an earlier version: ` +
          'start the service of this version first, which migrates it.';
        expect(await rejectionOf(store.uri, user)).toBe(message);
        await migrations.deleteMany({});
        expect(await rejectionOf(store.uri, user)).toBe(message);
        expect(await migrations.countDocuments()).toBe(0);
        expect(await store.collection('clients').indexes()).toHaveLength(1);
      }),
    );

    it.concurrent('prepares an empty database', () =>
      onOwnStore(async (store) => {
        await store.connection.dropDatabase();
        await (await store.join(user)).leave();
        expect(await store.collection('upgrades').countDocuments()).toBeGreaterThan(0);
        expect(await store.collection('users').indexes()).toHaveLength(2);
      }),
    );
  });

  it.concurrent('rejects a database whose indexes conflict with those of the service', () =>
    onOwnStore(async (store) => {
      await store.collection('users').dropIndexes();
      await store.collection('users').createIndex({ email: 1 });
      expect(await rejectionOf(store.uri)).toContain(
        'does not allow the service to prepare the database',
      );
    }),
  );
});
