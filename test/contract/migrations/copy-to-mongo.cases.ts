import fs from 'node:fs';
import type { mongo } from 'mongoose';
import { StartupError } from '../../../src/shared/errors/startup-error.js';
import { insert } from '../../../src/storage/changes.js';
import { titleOf, verifyCopy } from '../../../src/storage/copy/copy-store.js';
import { MongoTarget } from '../../../src/storage/mongo/copy/mongo-target.js';
import { MIGRATIONS_COLLECTION } from '../../../src/storage/mongo/migrations/prepare-database.js';
import { SqliteSource } from '../../../src/storage/sqlite/copy/sqlite-source.js';
import { describeOnMongo } from '../../engines.js';
import { Random } from '../../random.js';
import { compareWithModel } from '../compare-with-model.js';
import { aDeployment, COPIED, copy, dropDatabase, newDatabase, UNSEEN } from '../copied-store.js';
import { ModelStore } from '../model-store.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { aLabel, COLLECTIONS, LABELS } from '../records.js';
import { SqliteUnderTest } from '../sqlite.engine.js';

const BY_ID = { by: '_id', direction: 'asc' } as const;

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      expect(error).toBeInstanceOf(StartupError);
      return (error as Error).message;
    },
  );

describeOnMongo('a SQLite store that is copied to MongoDB', () => {
  const folders: string[] = [];
  const databases: string[] = [];
  afterAll(async () => {
    await Promise.all(databases.map(dropDatabase));
    folders.forEach((folder) => fs.rmSync(folder, { recursive: true }));
  });

  /** The folder of a store that no process has open. */
  const folderOf = async (opened: SqliteUnderTest) => {
    folders.push(opened.dataDir);
    await opened.leave();
    return opened.dataDir;
  };
  const database = (appName?: string) => {
    databases.push(newDatabase(appName));
    return databases.at(-1)!;
  };
  /** An instance of the service on a database. */
  const serve = (uri: string) => MongoUnderTest.connect(new URL(uri), { collections: COPIED });

  it('has the same records with the same versions, and works on as if it had always been there', async () => {
    const source = await aDeployment(40);
    const model = new ModelStore();
    const records: unknown[][] = [];
    for (const collection of COPIED) {
      const all = await source.store.list(collection, {}, BY_ID, { limit: 1_000 });
      records.push(all);
      if (COLLECTIONS.includes(collection)) {
        await model.commit(all.map((record) => insert(collection, record)));
      }
    }
    const uri = database();
    const { counts } = await copy(await folderOf(source), uri);
    expect(Object.values(counts)).toEqual(records.map(({ length }) => length));
    const served = await serve(uri);
    for (const [index, collection] of COPIED.entries()) {
      const copied = await served.store.list(collection, {}, BY_ID, { limit: 1_000 });
      expect(copied).toStrictEqual(records[index]);
    }
    await compareWithModel([served.store], model, new Random(8), 40);
    await served.leave();
  });

  it.each([
    ['at a record', 'shelves', 'insert'],
    ['when its indexes are built', MIGRATIONS_COLLECTION, 'delete'],
  ])(
    'begins anew where it is interrupted %s, and no service starts until it is complete',
    async (_, name, command) => {
      const dataDir = await folderOf(await aDeployment());
      const other = await MongoUnderTest.open();
      const uri = database(other.name);
      const namespace = `${new URL(uri).pathname.slice(1)}.${name}`;
      const failure = { failCommands: [command], namespace, closeConnection: true };
      const interrupted = await other.whileInjecting(failure, () => messageOf(copy(dataDir, uri)));
      expect(interrupted).toMatch(
        /^The connection to MongoDB was lost: .+ run the command again\.$/,
      );
      for (const mode of ['service', 'tool'] as const) {
        expect(await messageOf(MongoUnderTest.connect(new URL(uri), { mode }))).toMatch(
          /holds an unfinished copy of a SQLite store: complete it with npm run migrate-to-mongodb, name another database, or drop this one as an administrator\.$/,
        );
      }
      const served = SqliteUnderTest.open(dataDir, COPIED);
      await served.store.commit([insert(LABELS, aLabel('later'))]);
      await served.leave();
      const { counts } = await copy(dataDir, uri);
      expect(counts).toMatchObject({ items: 2, shelves: 1, labels: 2, idempotency_records: 1 });
      await other.close();
    },
  );

  describe('is compared with its copy:', () => {
    let source: SqliteSource;
    let target: MongoTarget;
    let opened: MongoUnderTest;
    beforeAll(async () => {
      const dataDir = await folderOf(await aDeployment());
      const uri = database();
      await copy(dataDir, uri);
      source = await SqliteSource.open(dataDir, COPIED);
      target = await MongoTarget.connect(uri, COPIED);
      opened = await serve(uri);
    });
    afterAll(async () => {
      await source.close();
      await Promise.all([target.close(), opened.leave()]);
    });

    const verify = () => messageOf(verifyCopy(source, target, UNSEEN));

    it.each(COPIED.map(({ name }) => name))(
      'finds each changed, missing and surplus record among %s',
      async (name) => {
        const collection = opened.collection(name);
        const document = (await collection.findOne({}, { sort: { _id: -1 } }))!;
        const differsIn = (_id: unknown) =>
          expect.stringContaining(
            `differs from the store in ${String(_id)} (${titleOf(name)})`,
          ) as string;
        for (const field of Object.keys(document).filter((each) => each !== '_id')) {
          const changed = { $set: { [field]: otherThan(document[field]) } };
          await collection.updateOne({ _id: document._id }, changed);
          expect([field, await verify()]).toEqual([field, differsIn(document._id)]);
          await collection.replaceOne({ _id: document._id }, document);
        }
        await collection.deleteOne({ _id: document._id });
        expect(await verify()).toEqual(differsIn(document._id));
        await collection.insertOne(document);
        const _id = typeof document._id === 'string' ? '\u{10fffd}' : after(document._id);
        const surplus = { ...document, _id };
        await collection.dropIndexes();
        await collection.insertOne(surplus as mongo.Document);
        expect(await verify()).toEqual(differsIn(surplus._id));
        await collection.deleteOne({ _id: surplus._id as never });
        expect(await verify()).toBe('done');
      },
    );
  });

  describe('is rejected', () => {
    let dataDir: string;
    beforeAll(async () => {
      dataDir = await folderOf(await aDeployment());
    });

    it('where the database is not empty, which stays as it is', async () => {
      const uri = database();
      const served = await serve(uri);
      await served.store.commit([insert(LABELS, aLabel('label'))]);
      expect(await messageOf(copy(dataDir, uri))).toMatch(
        /^The database \S+ is not empty \(it has labels\): name an empty one in MONGODB_URI\.$/,
      );
      expect(await served.store.count(LABELS, {})).toBe(1);
      await served.leave();
    });

    it('where the database has an unfinished copy of another deployment', async () => {
      const uri = database();
      const target = await MongoTarget.connect(uri, COPIED);
      await target.begin('of another store');
      await target.close();
      expect(await messageOf(copy(dataDir, uri))).toMatch(
        /^The database \S+ holds an unfinished copy of another store: name another database in MONGODB_URI, or drop this one as an administrator\.$/,
      );
    });

    it('where the secret does not open its data keys, before anything is written', async () => {
      const uri = database();
      expect(await messageOf(copy(dataDir, uri, 'another-key-for-wrapping-the-keys-0'))).toMatch(
        /^LICENSE_SECRET does not open the store in /,
      );
      const target = await MongoTarget.connect(uri, COPIED);
      await target.begin('x');
      await target.close();
    });

    it('where it was never used', async () => {
      const empty = await folderOf(SqliteUnderTest.open(undefined, COPIED));
      expect(await messageOf(copy(empty, database()))).toMatch(
        /was never used: there is nothing to copy\.$/,
      );
    });
  });
});

/** A value of the same type. */
function otherThan(value: unknown): unknown {
  if (value instanceof Date) return new Date(value.getTime() + 1);
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
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
