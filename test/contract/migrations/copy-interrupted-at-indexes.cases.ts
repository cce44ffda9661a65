import fs from 'node:fs';
import { createConnection } from 'mongoose';
import { DRIVER_OPTIONS } from '../../../src/storage/mongo/connection/connection-options.js';
import { MongoTarget } from '../../../src/storage/mongo/copy/mongo-target.js';
import { MIGRATIONS_COLLECTION } from '../../../src/storage/mongo/schemas/migration.schema.js';
import { createIndexes, modelsOf } from '../../../src/storage/mongo/schemas/models.js';
import { ALL_KINDS, type Counts } from '../../../src/storage/stored-records.js';
import { aDeployment, copy, dropDatabase, newDatabase } from '../copied-store.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';

describeOnMongo('a copy that is interrupted when it is verified and its indexes are built', () => {
  let other: MongoUnderTest;
  let uri: string;
  beforeEach(async () => {
    other = await MongoUnderTest.open();
    uri = newDatabase(String(new URL(other.uri).searchParams.get('appName')));
  });
  afterEach(() => Promise.all([dropDatabase(uri), other.close()]));

  it('is completed without another comparison, as expired records may be deleted by then', async () => {
    const source = await aDeployment();
    await source.leave();
    const name = new URL(uri).pathname.slice(1);
    const failure = {
      failCommands: ['delete'],
      namespace: `${name}.${MIGRATIONS_COLLECTION}`,
      closeConnection: true,
    };
    const interrupted = other.whileInjecting(failure, () => copy(source.dataDir, uri));
    await expect(interrupted).rejects.toThrow(/^The connection to MongoDB was lost: /);
    const sessions = other.connection.getClient().db(name).collection('sessions');
    expect(await sessions.deleteMany({})).toMatchObject({ deletedCount: 1 });
    const { notes, counts } = await copy(source.dataDir, uri);
    expect(notes).toEqual([
      'An interrupted copy goes on where it stopped.',
      'Building the indexes.',
    ]);
    expect(counts).toMatchObject({ sessions: 1, licenses: 2 });
    await (await MongoUnderTest.connect(new URL(uri))).leave();
    fs.rmSync(source.dataDir, { recursive: true });
  });

  it('loses the indexes where the store has changed, as they would delete records of the next copy', async () => {
    const target = await MongoTarget.connect(uri);
    const counts = Object.fromEntries(ALL_KINDS.map((kind) => [kind, 0])) as Counts;
    await target.begin({ deployment: 'one', version: 'before' });
    await target.markVerified(counts);
    const connection = await createConnection(uri, DRIVER_OPTIONS).asPromise();
    await createIndexes(modelsOf(connection));
    const indexes = () => connection.collection('sessions').indexes();
    expect((await indexes()).length).toBeGreaterThan(1);
    expect(await target.verified()).toEqual(counts);
    expect(await target.begin({ deployment: 'one', version: 'now' })).toBe('anew');
    expect([await target.verified(), (await indexes()).length]).toEqual([undefined, 1]);
    await Promise.all([target.close(), connection.close()]);
  });
});
