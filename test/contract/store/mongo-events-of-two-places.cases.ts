import { mongo } from 'mongoose';
import type { License } from '../../../src/licenses/license.js';
import { type LicenseEvent, rejectedEvent } from '../../../src/licenses/license-event.js';
import type { Reissued } from '../../../src/licenses/licenses.repository.js';
import { toOwnEventRecord } from '../../../src/storage/mongo/schemas/license-event.schema.js';
import { anEvent } from '../../builders/event.builder.js';
import { aReissue } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { toLicenseEventRecord } from '../earlier-events.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { firstPage, readPages } from '../pages.js';
import { useStore } from '../use-store.js';

const DAY = 24 * 60;

/** Version 0.3 stores events in their own collection. It may serve a database beside this version. */
describeOnMongo('events in the records of licenses and in their own collection', () => {
  const { store, stored } = useStore(() => {
    const uri = new URL(String(process.env.TEST_MONGODB_URI));
    uri.searchParams.set('monitorCommands', 'true');
    return MongoUnderTest.open(uri.href);
  });

  const inLicense = async (license: License, events: LicenseEvent[]) => {
    const own = events.map(toOwnEventRecord);
    await store.collection('licenses').updateOne({ _id: new mongo.ObjectId(license._id) }, {
      $push: { events: { $each: own } },
    } as never);
  };
  const inCollection = async (events: LicenseEvent[]) => {
    await store.collection('license_events').insertMany(events.map(toLicenseEventRecord));
  };

  const renewals = (license: License, minutes: number[]) =>
    minutes.map((minute) =>
      anEvent(license, 'renewed', { at: at(minute), termEndedAt: at(minute - 1) }),
    );

  it('are shown together, newest first, in pages of any size', async () => {
    const license = await stored.license();
    const [created] = await stored.eventsOf(license);
    const [own, others] = [
      renewals(license, [10, 30, 30, 50, 60]),
      renewals(license, [20, 30, 40, 60, 60]),
    ];
    await inLicense(license, own);
    await inCollection(others);
    const all = [created!, ...own, ...others].toSorted(
      (a, b) => +b.at - +a.at || (a._id < b._id ? 1 : -1),
    );
    for (const limit of [1, 2, 3, all.length, all.length + 1]) {
      const shown = await readPages((page) => store.events.list(license._id, page), limit);
      expect(shown).toStrictEqual(all);
    }
  });

  it('are one event where both places have the rejections of one day', async () => {
    const license = await stored.license();
    const [created] = await stored.eventsOf(license);
    const rejection = (machineId: string, minutes: number, count: number) => ({
      ...rejectedEvent(license._id, 'revoked', machineId, at(minutes)),
      count,
    });
    const days = [1, 2, 3].map((day) => day * DAY);
    await inLicense(license, [
      rejection('machine 1', days[0]! + 5, 2),
      rejection('machine 1', days[1]! + 9, 20),
    ]);
    await inCollection([
      rejection('machine 2', days[0]! + 7, 3),
      rejection('machine 2', days[1]! + 8, 30),
      rejection('machine 2', days[2]!, 7),
    ]);
    const all = [
      rejection('machine 2', days[2]!, 7),
      rejection('machine 1', days[1]! + 9, 50),
      rejection('machine 2', days[0]! + 7, 5),
      created,
    ];
    for (const limit of [1, 2, 100]) {
      const shown = await readPages((page) => store.events.list(license._id, page), limit);
      expect(shown).toStrictEqual(all);
    }
  });

  it('have the ends of all terms', async () => {
    const license = await stored.license();
    await inLicense(license, renewals(license, [10, 30]));
    await inCollection(renewals(license, [20]));
    const ends = await store.events.listTermEnds(license._id);
    expect(ends.toSorted((a, b) => +a - +b)).toStrictEqual([at(9), at(19), at(29)]);
  });

  it('have the latest end of all certificates, which a reissue tells', async () => {
    for (const [own, others] of [
      [[10, 40, 30], [20]],
      [[10], [20, 40, 30]],
      [[40], []],
    ]) {
      const license = await stored.activeLicense();
      const certificates = (minutes: number[]) =>
        minutes.map((end) =>
          anEvent(license, 'certificate_issued', { certificateExpiresAt: at(end) }),
        );
      await inLicense(license, certificates(own!));
      if (others!.length > 0) await inCollection(certificates(others!));
      const reissued = (await store.licenses.reissue(aReissue(license))) as Reissued;
      expect(reissued.lastCertificateEnd).toStrictEqual(at(40));
    }
  });

  it('are deleted with their project, in both places', async () => {
    const { project, license } = await stored.project();
    await inLicense(license, renewals(license, [10]));
    await inCollection(renewals(license, [20]));
    await store.projects.deleteWithLicenses(project._id, project.owner, at(9));
    expect(await stored.eventsOf(license)).toStrictEqual([]);
    expect(await store.events.listTermEnds(license._id)).toStrictEqual([]);
  });

  it('are not sent by the server where a license is read or changed', async () => {
    const { project, license } = await stored.project();
    await inLicense(license, renewals(license, [10]));
    const sent: string[] = [];
    const note = ({ reply }: mongo.CommandSucceededEvent) => void sent.push(JSON.stringify(reply));
    store.connection.getClient().on('commandSucceeded', note);
    await stored.find(license);
    const { owner } = project;
    const query = { client: undefined, project: undefined, product: undefined, status: undefined };
    const order = { expiresBefore: undefined, sort: 'createdAt', order: 'asc' } as const;
    await store.licenses.listOwned(owner, { ...query, ...order }, firstPage(), at(9));
    await store.dashboard.read(owner, { client: undefined, search: undefined }, firstPage(20));
    await store.licenses.reissue(aReissue(license));
    const beforeListing = sent.splice(0);
    await stored.eventsOf(license);
    store.connection.getClient().off('commandSucceeded', note);
    expect(beforeListing.filter((reply) => reply.includes('"events"'))).toHaveLength(1);
    expect(sent.filter((reply) => reply.includes('"events"'))).toHaveLength(1);
  });
});
