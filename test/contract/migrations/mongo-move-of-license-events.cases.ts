import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { License } from '../../../src/licenses/license.js';
import { type LicenseEvent, rejectedEvent } from '../../../src/licenses/license-event.js';
import type { Reissued } from '../../../src/licenses/licenses.repository.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { moveLicenseEvents } from '../../../src/storage/mongo/migrations/move-license-events.js';
import { anEvent } from '../../builders/event.builder.js';
import { aReissue } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { timesInScope } from '../../scope.js';
import { toLicenseEventRecord } from '../earlier-events.js';
import { describeOnMongo } from '../../engines.js';
import { firstPage } from '../pages.js';
import { activationOf } from '../port-arguments.js';
import { useInstances } from '../use-instances.js';

const DAY = 24 * 60;
// OperationFailed: no driver retries it.
const FAILED = { errorCode: 96 };

describeOnMongo('events of licenses in the collection of an earlier version', () => {
  const { instances, store, stored } = useInstances(3);

  const collection = () => store.collection('license_events');
  const isEmpty = async () => (await collection().countDocuments()) === 0;
  const insert = (events: LicenseEvent[]) =>
    collection().insertMany(events.map(toLicenseEventRecord));
  const move = ({ connection } = store) =>
    moveLicenseEvents(connection.getClient().db(connection.name));
  const listed = async ({ _id }: License) => (await store.events.list(_id, firstPage(1_000))).data;
  const renewals = (license: License, times: number) =>
    Array.from({ length: times }, (_, number) =>
      anEvent(license, 'renewed', { at: at(10 + number), termEndedAt: at(9 + number) }),
    );

  /** As the earlier version records a rejection: in the collection, and first in a transaction with the license. */
  const rejectAsBefore = async (event: LicenseEvent): Promise<void> => {
    const { _id, license, count, at, machineId } = toLicenseEventRecord(event);
    const client = store.connection.getClient();
    const add = async (session?: mongo.ClientSession) => {
      const update = { $inc: { count }, $max: { at }, $set: { machineId } };
      const { matchedCount } = await collection().updateOne({ _id }, update, { session: session! });
      return matchedCount === 1;
    };
    if (await add()) return;
    await client.withSession((session) =>
      session.withTransaction(async () => {
        if (await add(session)) return;
        await store
          .collection('licenses')
          .updateOne({ _id: license }, { $inc: { eventsCount: 1 } }, { session });
        await collection().insertOne(toLicenseEventRecord(event), { session });
      }),
    );
  };

  it('leave no transaction open when an instance shuts down', async () => {
    const client = store.connection.getClient();
    const openTransactions = async () => {
      const filter = { appName: store.connection.name, transaction: { $exists: true } };
      const { inprog } = await client.db('admin').command({ currentOp: 1, ...filter });
      return (inprog as mongo.Document[]).length;
    };
    // The first statement of a transaction: it may reach the server after the abort.
    const namespace = `${store.connection.name}.license_events`;
    const delay = { failCommands: ['find'], namespace, blockConnection: true, blockTimeMS: 100 };

    await store.whileInjecting(delay, async () => {
      for (let start = 0; start < 5; start++) await (await store.join()).leave();
    });

    expect(await openTransactions()).toBe(0);
  });

  it('are moved to their licenses, in several transactions', async () => {
    const licenses: License[] = [];
    while (licenses.length < 20) licenses.push(await stored.activeLicense());
    await insert(licenses.flatMap((license) => renewals(license, 30)));
    const before = await Promise.all(licenses.map(listed));
    await move();
    expect(await isEmpty()).toBe(true);
    expect(await Promise.all(licenses.map(listed))).toStrictEqual(before);
    expect(before[0]).toHaveLength(32);
    const ends = await store.events.listTermEnds(licenses[0]!._id);
    expect(ends).toHaveLength(30);
    expect(await store.licenses.activate(...activationOf(licenses[0]!))).toBeNull();
  });

  it('are added to the rejections of the same day', async () => {
    const license = await stored.license();
    const rejection = (minutes: number, machineId: string) =>
      rejectedEvent(license._id, 'revoked', machineId, at(minutes));
    for (const minutes of [5, DAY + 7]) {
      await store.events.recordRejection(rejection(minutes, 'machine 1'));
    }
    await insert([rejection(6, 'machine 2'), { ...rejection(DAY + 6, 'machine 2'), count: 3 }]);
    const before = await listed(license);
    await move();
    expect(await isEmpty()).toBe(true);
    expect(await listed(license)).toStrictEqual(before);
    expect(before.slice(0, 2)).toStrictEqual([
      { ...rejection(DAY + 7, 'machine 1'), count: 4 },
      { ...rejection(6, 'machine 2'), count: 2 },
    ]);
  });

  it('are kept as far as those of a new license are: the newest 90, and the certificate that ends last', async () => {
    const license = await stored.activeLicense();
    const rejections = Array.from({ length: 250 }, (_, day) =>
      rejectedEvent(license._id, 'revoked', 'machine 2', at(20 + day * DAY)),
    );
    const certificates = Array.from({ length: 250 }, (_, number) =>
      anEvent(license, 'certificate_issued', {
        at: at(10 + number),
        certificateExpiresAt: at(number === 3 ? 99_999 : 5_000),
      }),
    );
    await insert([...rejections, ...certificates, ...renewals(license, 100)]);
    await store.events.recordRejection(rejections[249]!);
    await move();
    expect(await isEmpty()).toBe(true);
    const all = await listed(license);
    const ofType = (type: string) => all.filter((event) => event.type === type);
    expect(ofType('activation_refused')).toStrictEqual([
      { ...rejections[249]!, count: 2 },
      ...rejections.slice(160, 249).reverse(),
    ]);
    expect(ofType('certificate_issued')).toStrictEqual([
      ...certificates.slice(160).reverse(),
      certificates[3],
    ]);
    expect(ofType('renewed')).toHaveLength(100);
    expect(ofType('created')).toHaveLength(1);
    const { lastCertificateEnd } = (await store.licenses.reissue(aReissue(license))) as Reissued;
    expect(lastCertificateEnd).toStrictEqual(at(99_999));
  });

  it('are deleted where their license is missing', async () => {
    const license = await stored.license();
    const missing = { ...license, _id: newObjectId() };
    await insert([...renewals(missing, 3), ...renewals(license, 2)]);
    await move();
    expect(await isEmpty()).toBe(true);
    expect(await listed(license)).toHaveLength(3);
  });

  it.each(['update', 'delete', 'commitTransaction'])(
    'are neither lost nor doubled where moving them fails at: %s',
    async (command) => {
      const license = await stored.license();
      const rejection = rejectedEvent(license._id, 'revoked', 'machine 1', at(5));
      await store.events.recordRejection(rejection);
      await insert([rejection, ...renewals(license, 3)]);
      const before = await listed(license);
      const failure = { failCommands: [command], ...FAILED };
      await store.whileInjecting(failure, () => expect(move()).rejects.toThrow());
      expect(await isEmpty()).toBe(false);
      expect(await listed(license)).toStrictEqual(before);
      await move();
      expect(await isEmpty()).toBe(true);
      expect(await listed(license)).toStrictEqual(before);
    },
  );

  it('are each moved once by three instances at once, beside both versions that record more', async () => {
    for (let round = 0; round < timesInScope(5); round++) {
      const licenses: License[] = [];
      while (licenses.length < 10) licenses.push(await stored.license());
      await insert(licenses.flatMap((license) => renewals(license, 40)));
      const reject = (index: number) => {
        const license = licenses[index % licenses.length]!;
        const event = rejectedEvent(license._id, 'revoked', 'machine 1', at(index));
        return index % 3 === 0 ? rejectAsBefore(event) : store.events.recordRejection(event);
      };
      await Promise.all([
        ...instances.map(move),
        ...Array.from({ length: 60 }, (_, index) => reject(index)),
        ...licenses.map((license) => store.licenses.activate(...activationOf(license))),
      ]);
      const expectComplete = async () => {
        for (const license of licenses) {
          const events = await listed(license);
          const counts = new Map<string, number>();
          for (const { type, count } of events) counts.set(type, (counts.get(type) ?? 0) + count);
          expect(Object.fromEntries(counts)).toStrictEqual({
            ...{ activation_refused: 6, renewed: 40, activated: 1, created: 1 },
          });
          expect(events).toHaveLength(43);
        }
      };
      await expectComplete();
      await move();
      expect(await isEmpty()).toBe(true);
      await expectComplete();
    }
  });

  it('are listed once each while they are moved', async () => {
    const license = await stored.license();
    const rejection = rejectedEvent(license._id, 'revoked', 'machine 1', at(5));
    await store.events.recordRejection(rejection);
    await insert([rejection, ...renewals(license, 600)]);
    const before = await listed(license);
    let isMoving = true;
    const moving = move().finally(() => (isMoving = false));
    while (isMoving) expect(await listed(license)).toStrictEqual(before);
    await moving;
    expect(await isEmpty()).toBe(true);
  });

  it('are moved in the background by an instance that starts', async () => {
    const license = await stored.license();
    await insert(renewals(license, 3));
    const instance = await store.join();
    while (!(await isEmpty())) await setTimeout(5);
    await instance.leave();
    expect(await listed(license)).toHaveLength(4);
  });
});
