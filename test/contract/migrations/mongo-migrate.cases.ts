import { mongo } from 'mongoose';
import { type AccountId, newAccountId } from '../../../src/shared/ids/account-id.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../engines.js';
import type { MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import { MigratedDatabase } from '../migrated-database.js';

// What the earlier version has not stored.
const ADDED = ['searchName', 'searchEmail', 'termStart', 'termMonths', 'replaces', 'eventsCount'];

const toRecord = (fields: object): mongo.Document =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !ADDED.includes(name))
      .map(([name, value]) => [
        name,
        typeof value === 'string' && mongo.ObjectId.isValid(value)
          ? new mongo.ObjectId(value)
          : value,
      ]),
  );

describeOnMongo('a database of an earlier version', () => {
  const owner = newAccountId();
  const [busy, idle] = [aClient({ owner, name: 'ACME ﬁnance' }), aClient({ name: 'İdle' })];
  const projects = [aProject(busy), aProject(busy)];
  const licenses = [
    aLicense(projects[0]!),
    aLicense(projects[0]!, { ...anActivation('machine 1'), status: 'ACTIVE', duration: 6 }),
    aLicense(projects[1]!, { duration: 12, termMonths: 12 }),
  ];

  let database: MigratedDatabase;
  let store: MongoUnderTest;
  beforeAll(async () => {
    database = await MigratedDatabase.of(async (earlier) => {
      const put = (name: string, records: mongo.Document[]) =>
        earlier.collection(name).insertMany(records);
      await put('clients', [
        { ...toRecord(busy), projectsCount: 2 },
        { ...toRecord(idle), projectsCount: 0 },
      ]);
      await put('projects', [
        { ...toRecord(projects[0]!), licensesCount: 2 },
        { ...toRecord(projects[1]!), licensesCount: 1 },
      ]);
      await put('licenses', licenses.map(toRecord));
    });
    store = database.store;
  });
  afterAll(() => database.close());

  const found = () =>
    Promise.all(licenses.map(({ _id, user }) => store.licenses.findOwned(_id, user)));
  const totalsOf = async (user: AccountId) => {
    const filter = { client: undefined, search: undefined };
    return (await store.dashboard.read(user, filter, firstPage())).totals;
  };

  it('has licenses with the term that they were issued or activated for', async () => {
    expect(await found()).toStrictEqual(licenses);
  });

  it('has totals and clients that are found by their names', async () => {
    expect(await totalsOf(owner)).toStrictEqual({
      clientsCount: 1,
      projectsCount: 2,
      licensesCount: 3,
    });
    expect(await totalsOf(idle.owner)).toStrictEqual({
      clientsCount: 1,
      projectsCount: 0,
      licensesCount: 0,
    });
    const { data } = await store.clients.listOwned(owner, 'acme fin', firstPage());
    expect(data).toStrictEqual([busy]);
  });

  it('is served on as any other', async () => {
    const [license] = licenses;
    const activated = await store.licenses.activate(
      license!._id,
      anActivation('machine 2'),
      anEvent(license!, 'activated'),
    );
    expect(activated?.status).toBe('ACTIVE');
    const project = aProject(busy);
    await store.projects.createWithFirstLicense(project, aNewLicense(aLicense(project)));
    expect(await totalsOf(owner)).toMatchObject({ projectsCount: 3, licensesCount: 4 });
    const outcome = await store.projects.deleteWithLicenses(projects[1]!._id, owner, at(10));
    expect(outcome).toBe('deleted');
    expect(await totalsOf(owner)).toMatchObject({ projectsCount: 2, licensesCount: 3 });
  });

  it('is migrated once: later changes stay', async () => {
    const totals = await totalsOf(owner);
    const { insertedId } = await store
      .collection('licenses')
      .insertOne({ keyHash: 'half a record' });
    await database.startAgain();
    expect(await totalsOf(owner)).toStrictEqual(totals);
    const record = await store.collection('licenses').findOneAndDelete({ _id: insertedId });
    expect(Object.keys(record ?? {})).toStrictEqual(['_id', 'keyHash']);
  });

  it('is migrated completely after an interruption', async () => {
    await store.collection('upgrades').deleteMany({});
    await store.collection('totals').updateMany({}, { $set: { licensesCount: 99 } });
    const changed = new mongo.ObjectId(busy._id);
    await store.collection('clients').updateOne({ _id: changed }, { $unset: { searchName: 1 } });
    await database.startAgain();
    expect(await totalsOf(owner)).toMatchObject({ projectsCount: 2, licensesCount: 3 });
    expect((await store.clients.listOwned(owner, 'acme', firstPage())).data).toHaveLength(1);
  });
});
