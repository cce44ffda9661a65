import fs from 'node:fs';
import path from 'node:path';
import { mongo } from 'mongoose';
import type { OpenMode } from '../../../src/storage/store.js';
import type { WritableStore } from '../../../src/storage/writable-store.js';
import { IDEMPOTENCY_RECORDS } from '../../../src/shared/idempotency/idempotency-record.js';
import type { SecurityLog } from '../../../src/shared/logging/security-log.js';
import { loadDataKeys } from '../../../src/shared/sealing/data-keys.js';
import { DeploymentItems } from '../../../src/storage/deployment-items.js';
import { DEPLOYMENT } from '../../../src/shared/sealing/deployment.js';
import { insert } from '../../../src/storage/changes.js';
import { NOT_STORED, type Stored } from '../../../src/storage/collection.js';
import { copyToMongo } from '../../../src/storage/copy-to-mongo.js';
import { DATABASE_INFO, SCHEMA } from '../../../src/storage/mongo/prepare-database.js';
import { leaseSessions } from '../../../src/storage/mongo/session-lease.js';
import { SqliteStore } from '../../../src/storage/sqlite/sqlite-store.js';
import { describeOnMongo, newStore, SECRETS } from '../../engines.js';
import { inRequest } from '../in-request.js';
import { MongoUnderTest } from '../mongo-under-test.js';
import { aLabel, at, COLLECTIONS, ITEMS, LABELS } from '../records.js';
import { startupErrorOf } from '../startup-error-of.js';
import { anIdempotencyRecord } from '../../builders.js';
import { Random } from '../../random.js';
import { compareWithModel, recordsOf } from '../compare-with-model.js';
import { ModelStore } from '../model-store.js';
import { openSqlite } from '../engines.js';
import { nextChanges } from '../random-changes.js';
import { RandomValues } from '../random-reads.js';

const PASSWORD = 'correct-horse';

const server = (change: (uri: URL) => void): string => {
  const uri = new URL(String(process.env.TEST_MONGODB_URI));
  change(uri);
  return uri.href;
};

/** The error message of the service when it fails to start on this URI. */
const rejectionOf = async (uri: string, mode: OpenMode = 'service'): Promise<string> => {
  const message = await startupErrorOf(MongoUnderTest.connect(new URL(uri), { mode }));
  expect(message).toMatch(/^[^\n]+\.$/);
  expect(message).not.toContain(PASSWORD);
  return message;
};

describeOnMongo('starting on MongoDB', () => {
  let store: MongoUnderTest;
  beforeEach(async () => {
    store = await MongoUnderTest.open();
  });
  afterEach(() => store.close());

  const joined = (mode: OpenMode) => MongoUnderTest.connect(store.uri, { mode });
  const indexesOf = (name: string) => store.collection(name).indexes();
  /** Makes the store one of this schema, without the indexes of items and shelves. */
  const setSchema = async (version: number) => {
    await store.collection(DATABASE_INFO).updateOne({}, { $set: { version } });
    for (const name of ['items', 'shelves']) await store.collection(name).dropIndexes();
  };

  it('writes durably to a majority and never reads stale data, whatever the URI says, and closes its connections at the end', async () => {
    const uri = new URL(store.uri);
    const weak =
      'w=1&journal=false&j=false&readConcernLevel=local&readPreference=nearest&retryWrites=false';
    new URLSearchParams(weak).forEach((value, name) => uri.searchParams.set(name, value));
    const again = await MongoUnderTest.connect(uri);
    expect(again.client.options).toMatchObject({
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      readPreference: { mode: 'primary' },
      retryWrites: true,
      retryReads: true,
    });
    await again.leave();
    await expect(again.store.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('rejects a wrong password', async () => {
    const uri = server((one) => Object.assign(one, { username: 'nobody', password: PASSWORD }));
    expect(await rejectionOf(uri)).toContain('rejects the user or the password');
  });

  it.each(['service', 'command'] as const)(
    'as a %s runs next to the next version, rejects the one after that, and keeps the indexes of both',
    async (mode) => {
      await setSchema(SCHEMA + 1);
      const other = await joined(mode);
      expect(await other.store.count(ITEMS, {})).toBe(0);
      await other.leave();
      await setSchema(SCHEMA + 2);
      expect(await rejectionOf(store.uri.href, mode)).toBe(
        `The database ${store.name} has schema ${SCHEMA + 2} but this program supports ${SCHEMA}. Use the newer version that wrote it.`,
      );
      expect(await indexesOf('items')).toHaveLength(1);
    },
  );
});

const COPIED = [DEPLOYMENT, ...COLLECTIONS];

/** Copies a store that no service has open, like the command. */
const copy = (dataDir: string, uri: string, report = () => undefined as void) =>
  copyToMongo({ dataDir, uri, collections: COPIED }, report);

const database = () => String(newStore('MongoDB').MONGODB_URI);

describeOnMongo('a SQLite store that is copied to MongoDB', () => {
  let source: ReturnType<typeof openSqlite>;
  beforeEach(() => {
    source = openSqlite(COPIED);
  });
  afterEach(() => fs.rmSync(source.dataDir, { recursive: true }));

  const unversioned = async (store: WritableStore) => {
    const records = (await recordsOf(store, COPIED)) as Stored[][];
    return records.map((all) => all.map((record) => ({ ...record, version: NOT_STORED })));
  };
  /** Stores records of every kind in the source. */
  const fill = async () => {
    const { store } = source;
    const secrets = { licenseSecret: SECRETS.LICENSE_SECRET, licenseSecretPrevious: undefined };
    await loadDataKeys(new DeploymentItems(store), secrets, {} as SecurityLog);
    const record = { ...anIdempotencyRecord(), result: { at: at(2) }, version: NOT_STORED };
    const label = aLabel('\u{1f680}');
    await store.commit([insert(IDEMPOTENCY_RECORDS, record), insert(LABELS, label)]);
    const values = new RandomValues(new Random(7));
    const caller = { store, read: new Map() };
    for (let each = 0; each < 40; each += 1)
      await store.commit(await nextChanges(values, true)(caller));
  };

  it('has the same records, and works as if it had always been there', async () => {
    await fill();
    const records = await unversioned(source.store);
    const model = new ModelStore();
    for (const [index, collection] of COPIED.entries()) {
      expect([collection.name, records[index]]).not.toEqual([collection.name, []]);
      await model.commit(records[index]!.map((record) => insert(collection, record)));
    }
    await source.store.close();
    const uri = database();
    const { counts } = await copy(source.dataDir, uri);
    expect(Object.values(counts)).toEqual(records.map(({ length }) => length));
    const served = await MongoUnderTest.connect(new URL(uri), { collections: COPIED });
    expect(await unversioned(served.store)).toStrictEqual(records);
    await compareWithModel([served.store], model, new Random(8), 10);
    await served.leave();
  });

  it('fails if the connection is lost, and no service starts until it is complete', async () => {
    await fill();
    await source.store.close();
    const other = await MongoUnderTest.open();
    const target = new URL(database());
    target.searchParams.set('appName', other.name);
    const uri = target.href;
    const namespace = `${target.pathname.slice(1)}.${DATABASE_INFO}`;
    const failure = { failCommands: ['update'], namespace, closeConnection: true };
    const work = () => startupErrorOf(copy(source.dataDir, uri));
    expect(await other.whileInjecting(failure, work)).toMatch(
      /^The connection to MongoDB was lost\. .+ run the command again\.$/,
    );
    for (const mode of ['service', 'command'] as const) {
      expect(await startupErrorOf(MongoUnderTest.connect(new URL(uri), { mode }))).toMatch(
        /contains an unfinished copy of a SQLite store. Finish it with .* migrate-to-mongodb, use another database, or drop this one as an administrator\.$/,
      );
    }
    await other.close();
  });

  it('starts over without waiting for the transaction of a copy that was killed', async () => {
    await source.store.close();
    const uri = database();
    const killed = await new mongo.MongoClient(uri).connect();
    await killed.db().collection(DATABASE_INFO).insertOne({ isUnfinishedCopy: true });
    await killed.db().createCollection('labels');
    const session = killed.startSession();
    await leaseSessions(killed, [session], SCHEMA);
    session.startTransaction();
    await killed.db().collection('labels').insertOne({}, { session });
    expect((await copy(source.dataDir, uri)).counts).toMatchObject({ labels: 0 });
    await killed.close();
  }, 30_000);

  it('is rejected while a service uses the store', async () => {
    expect(await startupErrorOf(copy(source.dataDir, database()))).toMatch(
      /^Another process is using the store in /,
    );
    await source.store.close();
  });

  it('is rejected in one sentence if it turns out to be damaged', async () => {
    await fill();
    await source.store.commit(
      Array.from({ length: 100 }, (_, n) =>
        insert(LABELS, aLabel(`${n} ${'text '.repeat(1_000)}`)),
      ),
    );
    await source.store.close();
    const file = path.join(source.dataDir, 'licenses.sqlite');
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes.fill(0x55, bytes.length / 2));
    expect(await startupErrorOf(copy(source.dataDir, database()))).toMatch(
      /^The store in [^\n]+ cannot be read \([^\n]+\)\. Repair the disk /,
    );
  });

  it('cannot be written by a command during the copy', async () => {
    await fill();
    await source.store.close();
    const command = SqliteStore.open(source.dataDir, COPIED, 'command');
    let written: Promise<unknown> | undefined;
    const late = insert(LABELS, aLabel('late'));
    const { counts } = await copy(source.dataDir, database(), () => {
      written ??= inRequest(60_000, () => command.commit([late]));
    });
    expect(await written).toMatchObject({ ok: true });
    expect(await command.count(LABELS, {})).toBe(counts.labels! + 1);
    await command.close();
  });
});
