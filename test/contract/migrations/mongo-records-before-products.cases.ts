import { mongo } from 'mongoose';
import { toLicenseRecord } from '../../../src/storage/mongo/schemas/license.schema.js';
import { toProjectRecord } from '../../../src/storage/mongo/schemas/project.schema.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aCertification, aLicense } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { at } from '../../builders/time.js';
import { toLicenseEventRecord } from '../earlier-events.js';
import { describeOnMongo } from '../../engines.js';
import { firstPage } from '../pages.js';
import { Stored } from '../stored.js';
import { useMigratedDatabase } from '../use-migrated-database.js';

const DONE = ['life-of-a-license', 'search-emails', 'families-of-sessions', 'idempotency-records'];
/** Fields that the earlier version did not have. */
const ADDED = ['product', 'certificateExpiresAt', 'events'];

const earlier = (record: object): mongo.Document =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !ADDED.includes(name)));

describeOnMongo('a database of the version before products and certificates', () => {
  const owner = newAccountId();
  const client = aClient({ owner });
  const [project, other] = [aProject(client), aProject(client)];
  const [license, otherLicense] = [aLicense(project), aLicense(other)];
  const event = anEvent(license, 'created');
  const otherEvent = anEvent(otherLicense, 'created');

  const { store } = useMigratedDatabase(DONE, async (connection) => {
    const put = (name: string, records: object[]) =>
      connection.collection(name).insertMany(records.map(earlier));
    const [_id, account] = [new mongo.ObjectId(client._id), new mongo.ObjectId(owner)];
    await put('clients', [{ ...client, _id, owner: account, projectsCount: 2 }]);
    await put('projects', [project, other].map(toProjectRecord));
    await put('licenses', [
      toLicenseRecord(license, event),
      toLicenseRecord(otherLicense, otherEvent),
    ]);
    await put('license_events', [event, otherEvent].map(toLicenseEventRecord));
    await put('totals', [{ _id: account, clientsCount: 1, projectsCount: 2, licensesCount: 2 }]);
  });
  const stored = new Stored(store);

  it('has projects and licenses without a product, and events without a certificate', async () => {
    expect(await store.projects.findOwned(project._id, owner)).toStrictEqual(project);
    expect(await stored.find(license)).toStrictEqual(license);
    expect(await stored.eventsOf(license)).toStrictEqual([event]);
    const { data } = await store.projects.listOwned(
      owner,
      { client: undefined, product: 'shop' },
      firstPage(),
    );
    expect(data).toStrictEqual([]);
  });

  it('adds licenses without a product, and gives a project a product once', async () => {
    const added = await stored.licenseOf(project);
    const update = (product: string) =>
      store.projects.update(project._id, owner, { product }, at(9));
    expect(await update('shop')).toMatchObject({ product: 'shop' });
    for (const each of [license, added]) {
      expect(await stored.find(each)).toStrictEqual({ ...each, product: 'shop' });
    }
    expect(await stored.find(otherLicense)).toStrictEqual(otherLicense);
    expect(await update('forum')).toBe('has_product');
  });

  it('certifies a license', async () => {
    const certified = await store.licenses.certify(aCertification(otherLicense));
    expect(certified?.license).toMatchObject({ status: 'ACTIVE', product: null });
    const events = await stored.eventsOf(otherLicense);
    expect(events[0]).toMatchObject({ certificateExpiresAt: at(24 * 60) });
    expect(await store.contradictions()).toStrictEqual([]);
  });
});
