import { mongo } from 'mongoose';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { aClient } from '../../builders/client.builder.js';
import { aLicense, anActivation } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../../engines.js';
import { firstPage } from '../pages.js';
import { activationOf } from '../port-arguments.js';
import { Stored } from '../stored.js';
import { useMigratedDatabase } from '../use-migrated-database.js';

// Fields that the earlier version did not have.
const ADDED = [
  ...['searchName', 'searchEmail', 'termStart', 'termMonths', 'replaces', 'eventsCount'],
  'product',
];

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

  const { store, startAgain } = useMigratedDatabase([], async (earlier) => {
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
  const stored = new Stored(store);

  it('has licenses with the term that they were issued or activated for', async () => {
    expect(await Promise.all(licenses.map((each) => stored.find(each)))).toStrictEqual(licenses);
  });

  it('has totals, and finds clients by their names', async () => {
    const totals = { clientsCount: 1, projectsCount: 2, licensesCount: 3 };
    expect(await stored.totalsOf(owner)).toStrictEqual(totals);
    const none = { clientsCount: 1, projectsCount: 0, licensesCount: 0 };
    expect(await stored.totalsOf(idle.owner)).toStrictEqual(none);
    const { data } = await store.clients.listOwned(owner, 'acme fin', firstPage());
    expect(data).toStrictEqual([busy]);
  });

  it('is read and written like a new one', async () => {
    const activated = await store.licenses.activate(...activationOf(licenses[0]!, 'machine 2'));
    expect(activated?.status).toBe('ACTIVE');
    await stored.project(busy);
    expect(await stored.totalsOf(owner)).toMatchObject({ projectsCount: 3, licensesCount: 4 });
    const outcome = await store.projects.deleteWithLicenses(projects[1]!._id, owner, at(10));
    await store.removeDeleted();
    expect(outcome).toBe('deleted');
    expect(await stored.totalsOf(owner)).toMatchObject({ projectsCount: 2, licensesCount: 3 });
  });

  it('is migrated once: later changes stay', async () => {
    const totals = await stored.totalsOf(owner);
    const { insertedId } = await store
      .collection('licenses')
      .insertOne({ keyHash: 'half a record' });
    await startAgain();
    expect(await stored.totalsOf(owner)).toStrictEqual(totals);
    const record = await store.collection('licenses').findOneAndDelete({ _id: insertedId });
    expect(Object.keys(record ?? {})).toStrictEqual(['_id', 'keyHash']);
  });

  it('is migrated completely after an interruption', async () => {
    await store.collection('upgrades').deleteMany({});
    const totals = store.collection('totals');
    await totals.deleteMany({ '_id.account': { $exists: true } });
    await totals.updateMany({}, { $set: { licensesCount: 99 } });
    const changed = new mongo.ObjectId(busy._id);
    await store.collection('clients').updateOne({ _id: changed }, { $unset: { searchName: 1 } });
    await startAgain();
    expect(await stored.totalsOf(owner)).toMatchObject({ projectsCount: 2, licensesCount: 3 });
    expect((await store.clients.listOwned(owner, 'acme', firstPage())).data).toHaveLength(1);
  });
});
