import fs from 'node:fs';
import type { mongo } from 'mongoose';
import { StartupError } from '../../../src/shared/errors/startup-error.js';
import { verifyCopy } from '../../../src/storage/copy/copy-store.js';
import { MongoTarget } from '../../../src/storage/mongo/copy/mongo-target.js';
import { SqliteSource } from '../../../src/storage/sqlite/copy/sqlite-source.js';
import { ALL_KINDS, KINDS } from '../../../src/storage/stored-records.js';
import { at } from '../../builders/time.js';
import {
  aDeployment,
  COLLECTIONS,
  copy,
  dropDatabase,
  newDatabase,
  UNSEEN,
} from '../copied-store.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { RandomOperations } from '../random-operations.js';
import { SqliteUnderTest } from '../sqlite.engine.js';

const STEPS = 200;

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      expect(error).toBeInstanceOf(StartupError);
      return (error as Error).message;
    },
  );

describeOnMongo('a SQLite store that is copied to MongoDB', () => {
  const stores: SqliteUnderTest[] = [];
  const databases: string[] = [];
  afterAll(async () => {
    await Promise.all(databases.map(dropDatabase));
    stores.forEach(({ dataDir }) => fs.rmSync(dataDir, { recursive: true }));
  });

  /** The folder of a store that no process has open. */
  const folderOf = async (store: SqliteUnderTest) => {
    stores.push(store);
    await store.leave();
    return store.dataDir;
  };
  const database = (appName?: string) => {
    databases.push(newDatabase(appName));
    return databases.at(-1)!;
  };
  /** Looks into a database as an instance of the service. */
  const within = async <T>(uri: string, work: (store: MongoUnderTest) => Promise<T>) => {
    const store = await MongoUnderTest.connect(new URL(uri));
    return work(store).finally(() => store.leave());
  };

  it('is what the service would have stored there, and reads the same', async () => {
    const [source, native] = [await aDeployment(), await MongoUnderTest.open()];
    const operations = new RandomOperations(7);
    for (let step = 1; step <= STEPS; step++) {
      const operation = operations.next(step);
      for (const store of [source, native]) await operation(store).catch(() => undefined);
    }
    const read = await operations.read(source, STEPS);
    const uri = database();
    const { counts } = await copy(await folderOf(source), uri);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
    await within(uri, async (copied) => {
      expect(await operations.read(copied, STEPS)).toStrictEqual(read);
      expect(await copied.contradictions()).toEqual([]);
      for (const name of [
        'clients',
        'projects',
        'licenses',
        'signing_keys',
        'idempotency_records',
      ]) {
        const expected = new Map(
          (await documentsOf(native, name)).map((one) => [`${one._id}`, one]),
        );
        const both = (await documentsOf(copied, name)).filter(({ _id }) => expected.has(`${_id}`));
        expect(both.length).toBeGreaterThan(0);
        expect(both).toStrictEqual(both.map(({ _id }) => expected.get(`${_id}`)));
      }
    });
    await native.close();
  });

  it('works on as if it had always been there', async () => {
    const source = await aDeployment();
    const operations = new RandomOperations(8);
    for (let step = 1; step <= STEPS; step++) await operations.next(step)(source).catch(String);
    const uri = database();
    const dataDir = await folderOf(source);
    await copy(dataDir, uri);
    const again = await SqliteUnderTest.open(dataDir);
    await within(uri, async (copied) => {
      for (let step = STEPS + 1; step <= 2 * STEPS; step++) {
        const operation = operations.next(step);
        const [expected, outcome] = await Promise.all(
          [again, copied].map((store) => operation(store).catch((error: Error) => error.name)),
        );
        expect({ step, outcome }).toStrictEqual({ step, outcome: expected });
      }
      expect(await copied.contradictions()).toEqual([]);
    });
    await again.leave();
  });

  it('goes on where a lost connection stopped it, and no service starts until it is complete', async () => {
    const dataDir = await folderOf(await aDeployment());
    const other = await MongoUnderTest.open();
    const uri = database(String(new URL(other.uri).searchParams.get('appName')));
    const namespace = `${new URL(uri).pathname.slice(1)}.licenses`;
    const failure = { failCommands: ['insert'], namespace, closeConnection: true };
    const interrupted = await other.whileInjecting(failure, () => messageOf(copy(dataDir, uri)));
    expect(interrupted).toMatch(
      /^The connection to MongoDB was lost: .+ it goes on where it stopped\.$/,
    );
    for (const user of ['service', 'tool'] as const) {
      expect(await messageOf(MongoUnderTest.connect(new URL(uri), undefined, user))).toMatch(
        /holds an unfinished copy of a SQLite store: complete it with npm run migrate-to-mongodb, name another database, or drop this one as an administrator\.$/,
      );
    }
    const { notes, counts } = await copy(dataDir, uri);
    expect(notes[0]).toBe('An interrupted copy goes on where it stopped.');
    expect(counts.licenses).toBe(2);
    expect(await within(uri, (copied) => copied.contradictions())).toEqual([]);
    await other.close();
  });

  it('is copied anew where it has changed since a copy was interrupted', async () => {
    const source = await aDeployment();
    const dataDir = await folderOf(source);
    const uri = database();
    await beginCopy(dataDir, uri);
    const served = await SqliteUnderTest.open(dataDir);
    const user = await served.users.list(undefined, 1);
    await served.users.disable(user[0]!.email, at(9));
    await served.leave();
    const { notes } = await copy(dataDir, uri);
    expect(notes[0]).toBe('The store has changed since a copy was interrupted: it is copied anew.');
    const copied = await within(uri, ({ users }) => users.list(undefined, 1));
    expect(copied[0]!.disabledAt).toEqual(at(9));
  });

  describe('is compared with its copy:', () => {
    let source: SqliteSource;
    let target: MongoTarget;
    let store: MongoUnderTest;
    beforeAll(async () => {
      const dataDir = await folderOf(await aDeployment());
      const uri = database();
      await copy(dataDir, uri);
      source = SqliteSource.open(dataDir);
      target = await MongoTarget.connect(uri);
      store = await MongoUnderTest.connect(new URL(uri));
    });
    afterAll(async () => {
      source.close();
      await Promise.all([target.close(), store.leave()]);
    });

    const verify = () => messageOf(verifyCopy(source, target, UNSEEN));

    it.each(ALL_KINDS)('finds each changed, missing and surplus record among %s', async (kind) => {
      const collection = store.collection(COLLECTIONS[kind]);
      const document = (await collection.findOne({}, { sort: { _id: -1 } }))!;
      const named = (_id: unknown) =>
        expect.stringContaining(
          `differs from the store in ${String(_id)} (${KINDS[kind]})`,
        ) as string;
      for (const field of Object.keys(document).filter((name) => name !== '_id')) {
        if (['searchName', 'searchEmail'].includes(field)) continue;
        await collection.updateOne(
          { _id: document._id },
          { $set: { [field]: otherThan(document[field]) } },
        );
        expect([field, await verify()]).toEqual([field, named(document._id)]);
        await collection.replaceOne({ _id: document._id }, document);
      }
      await collection.deleteOne({ _id: document._id });
      expect(await verify()).toEqual(named(document._id));
      await collection.insertOne(document);
      const surplus = {
        ...document,
        _id: typeof document._id === 'string' ? 'zz' : after(document._id),
      };
      await store.collection(COLLECTIONS[kind]).dropIndexes();
      await collection.insertOne(surplus as mongo.Document);
      expect(await verify()).toEqual(named(surplus._id));
      await collection.deleteOne({ _id: surplus._id as never });
      expect(await verify()).toBe('done');
    });
  });

  describe('is rejected', () => {
    let dataDir: string;
    beforeAll(async () => {
      dataDir = await folderOf(await aDeployment());
    });

    it('where the database is not empty, which stays as it is', async () => {
      const uri = database();
      await within(uri, (store) => store.deployment.keepFirst('machine-identity', 'another'));
      expect(await messageOf(copy(dataDir, uri))).toMatch(
        /^The database \S+ is not empty \(it has deployment\): name an empty one in MONGODB_URI\.$/,
      );
      expect(await within(uri, (store) => store.deployment.find('machine-identity'))).toBe(
        'another',
      );
    });

    it('where the database has an unfinished copy of another deployment', async () => {
      const uri = database();
      await beginCopy(await folderOf(await aDeployment()), uri);
      expect(await messageOf(copy(dataDir, uri))).toMatch(
        /^The database \S+ holds an unfinished copy of another store: name another database in MONGODB_URI, or drop this one as an administrator\.$/,
      );
    });

    it('where the secret does not open its data keys, before anything is written', async () => {
      const uri = database();
      expect(await messageOf(copy(dataDir, uri, 'another-key-for-wrapping-the-keys-0'))).toMatch(
        /^LICENSE_SECRET does not open the store in /,
      );
      const target = await MongoTarget.connect(uri);
      expect(await target.lastId('users')).toBeUndefined();
      await target.close();
    });

    it('while it is served', async () => {
      const served = await SqliteUnderTest.open(dataDir);
      expect(await messageOf(copy(dataDir, database()))).toMatch(
        /^Another process is using the store in .+: stop it/,
      );
      await served.leave();
    });

    it('where it is missing, or was never used, and no store is made', async () => {
      const empty = await folderOf(await SqliteUnderTest.open());
      expect(await messageOf(copy(empty, database()))).toMatch(
        /was never used: there is nothing to copy\.$/,
      );
      fs.rmSync(`${empty}/licenses.sqlite`);
      expect(await messageOf(copy(empty, database()))).toMatch(
        /^There is no store in .+: set DATA_DIR/,
      );
      expect(fs.readdirSync(empty)).not.toContain('licenses.sqlite');
    });
  });
});

/** As a copy that is killed once it has begun. */
async function beginCopy(dataDir: string, uri: string): Promise<void> {
  const [source, target] = [SqliteSource.open(dataDir), await MongoTarget.connect(uri)];
  const { deployment, version } = source;
  expect(await target.begin({ deployment, version })).toBe('new');
  for (const page of source.pages('users')) await target.insert('users', page);
  await target.close();
  source.close();
}

/** The documents of a collection without what only orders transactions, and the events in one order. */
async function documentsOf(store: MongoUnderTest, name: string): Promise<mongo.Document[]> {
  const documents = await store
    .collection(name)
    .find({}, { sort: { _id: 1 } })
    .toArray();
  return documents.map((document) => {
    const { keptCount, deletion, sequence, events, ...rest } = document as mongo.Document;
    void [keptCount, deletion, sequence];
    if (!events) return rest;
    const key = ({ at, _id }: mongo.Document) => `${(at as Date).toISOString()} ${String(_id)}`;
    const sorted = (events as mongo.Document[]).toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    return { ...rest, events: sorted };
  });
}

/** A value of the same type. */
function otherThan(value: unknown): unknown {
  if (value instanceof Date) return new Date(value.getTime() + 1);
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}!`;
  if (value === null) return 'something';
  if (Array.isArray(value)) return value.slice(1).concat(value.length === 0 ? ['one'] : []);
  if ('toHexString' in (value as object)) return after(value);
  return { ...(value as object), surplus: 1 };
}

/** An id that sorts after another one. */
function after(id: unknown): unknown {
  const ObjectId = (id as mongo.ObjectId).constructor as typeof mongo.ObjectId;
  return new ObjectId('f'.repeat(24));
}
