import fs from 'node:fs';
import { createConnection } from 'mongoose';
import { DRIVER_OPTIONS } from '../../../src/storage/mongo/connection/connection-options.js';
import { MongoTarget } from '../../../src/storage/mongo/copy/mongo-target.js';
import { createIndexes, modelsOf } from '../../../src/storage/mongo/documents/schemas.js';
import { MIGRATIONS_COLLECTION } from '../../../src/storage/mongo/migrations/prepare-database.js';
import { describeOnMongo } from '../../engines.js';
import { aDeployment, COPIED, copy, dropDatabase, newDatabase } from '../copied-store.js';
import { MongoUnderTest } from '../mongo.engine.js';

describeOnMongo('a copy that is interrupted when it is verified and its indexes are built', () => {
  let other: MongoUnderTest;
  let uri: string;
  beforeEach(async () => {
    other = await MongoUnderTest.open();
    uri = newDatabase(other.name);
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
    const records = other.connection.getClient().db(name).collection('idempotency_records');
    expect(await records.deleteMany({})).toMatchObject({ deletedCount: 1 });
    const { notes, counts } = await copy(source.dataDir, uri);
    expect(notes).toEqual([
      'An interrupted copy goes on where it stopped.',
      'Building the indexes.',
    ]);
    expect(counts).toMatchObject({ idempotency_records: 1, items: 2 });
    await (await MongoUnderTest.connect(new URL(uri), { collections: COPIED })).leave();
    fs.rmSync(source.dataDir, { recursive: true });
  });

  it('loses the indexes where the store has changed, as they would delete records of the next copy', async () => {
    const target = await MongoTarget.connect(uri, COPIED);
    const counts = { items: 0 };
    await target.begin({ deployment: 'one', version: 'before' });
    await target.markVerified(counts);
    const connection = await createConnection(uri, DRIVER_OPTIONS).asPromise();
    await createIndexes(modelsOf(connection, COPIED));
    const indexes = () => connection.collection('idempotency_records').indexes();
    expect((await indexes()).length).toBeGreaterThan(1);
    expect(await target.verified()).toEqual(counts);
    expect(await target.begin({ deployment: 'one', version: 'now' })).toBe('anew');
    expect([await target.verified(), (await indexes()).length]).toEqual([undefined, 1]);
    await Promise.all([target.close(), connection.close()]);
  });
});
