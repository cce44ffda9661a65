import type { OpenMode } from '../../../src/storage/open-mode.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo-under-test.js';
import { ITEMS } from '../records.js';
import { startupErrorOf } from '../startup-error-of.js';

const PASSWORD = 'correct-horse';

const server = (change: (uri: URL) => void): string => {
  const uri = new URL(String(process.env.TEST_MONGODB_URI));
  change(uri);
  return uri.href;
};

/** The message with which the service does not start on this URI. */
const rejectionOf = async (uri: string, mode: OpenMode = 'service'): Promise<string> => {
  const message = await startupErrorOf(MongoUnderTest.connect(new URL(uri), { mode }));
  expect(message).toMatch(/^[^\n]+\.$/);
  expect(message).not.toContain(PASSWORD);
  return message;
};

const SCHEMA = 6;

describeOnMongo('starting on MongoDB', () => {
  let store: MongoUnderTest;
  beforeEach(async () => {
    store = await MongoUnderTest.open();
  });
  afterEach(() => store.close());

  const joined = (mode: OpenMode) => MongoUnderTest.connect(store.uri, { mode });
  const indexesOf = (name: string) => store.collection(name).indexes();
  /** Makes the store one of a newer version, without the indexes of items and shelves. */
  const migrate = async (record: object) => {
    await store.collection('upgrades').insertOne({ _id: 'of-tomorrow' as never, ...record });
    for (const name of ['items', 'shelves']) await store.collection(name).dropIndexes();
  };

  it('writes durably to a majority, reads nothing stale, and closes its connections at the end', async () => {
    const again = await store.join();
    expect(again.connection.getClient().options).toMatchObject({
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      readPreference: { mode: 'primary' },
      retryWrites: true,
      retryReads: true,
    });
    await again.leave();
    expect(again.connection.readyState).toBe(0);
    await expect(again.store.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('rejects a wrong password, and a URI that asks for less durability than is promised', async () => {
    const uri = server((one) => Object.assign(one, { username: 'nobody', password: PASSWORD }));
    expect(await rejectionOf(uri)).toContain('rejects the user or the password');
    const weak = server(({ searchParams }) => searchParams.set('w', '1'));
    expect(await rejectionOf(weak)).toContain('set w=majority');
  });

  it.each([
    ['service', {}],
    ['service', { schema: SCHEMA + 2 }],
    ['tool', { schema: SCHEMA + 2 }],
  ] as const)(
    'rejects a database for a %s that has had a migration of a later version, %j, and does not change it',
    async (mode, record) => {
      await migrate(record);
      expect(await rejectionOf(store.uri.href, mode)).toBe(
        `The database ${store.name} has had the migration of-tomorrow, which this program does not know: ` +
          'start the newer version that has written it.',
      );
      expect(await indexesOf('items')).toHaveLength(1);
    },
  );

  it('runs beside the next version, and leaves its indexes as they are', async () => {
    await migrate({ schema: SCHEMA + 1 });
    for (const mode of ['service', 'tool'] as const) {
      const other = await joined(mode);
      expect(await other.store.count(ITEMS, {})).toBe(0);
      await other.leave();
      expect(await indexesOf('items')).toHaveLength(1);
    }
  });

  it('lets a command prepare an empty database', async () => {
    for (const mode of ['tool', 'exclusive tool'] as const) {
      await store.connection.dropDatabase();
      await (await joined(mode)).leave();
      expect(await store.collection('upgrades').countDocuments()).toBeGreaterThan(0);
      expect(await indexesOf('shelves')).toHaveLength(3);
    }
  });

  it.each([[['correct-search-forms']], [[]]])(
    'rejects a database of a version before 0.5, which has had %j, and does not change it',
    async (done: string[]) => {
      const upgrades = store.collection('upgrades');
      await upgrades.deleteMany({});
      for (const _id of done) await upgrades.insertOne({ _id: _id as never });
      await store.collection('items').dropIndexes();
      await store.collection('users').insertOne({});
      const rejection = await rejectionOf(store.uri.href);
      expect(rejection).toContain('was written by a version before 0.5: start');
      expect(await indexesOf('items')).toHaveLength(1);
    },
  );
});
