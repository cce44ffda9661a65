import type { License } from '../../../src/licenses/license.js';
import { type LicenseEvent, rejectedEvent } from '../../../src/licenses/license-event.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import type { PageRequest } from '../../../src/shared/pagination/page.js';
import { anEvent } from '../../builders/event.builder.js';
import { aRenewal } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { firstPage, idsOf, readPages } from '../pages.js';
import { twenty } from '../race.js';
import { useStore } from '../use-store.js';

describe.each(engines)('the events of a license on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const listOf = (license: string) => (page: PageRequest) => store.events.list(license, page);
  const reject = (event: LicenseEvent) => store.events.recordRejection(event);

  /** A license that was renewed at these times, after its term had ended or not. */
  const renewedAt = async (renewals: { minutes: number; termEndedAt?: Date }[]) => {
    let license = await stored.activeLicense();
    const events: LicenseEvent[] = [];
    for (const { minutes, termEndedAt = null } of renewals) {
      const event = anEvent(license, 'renewed', { at: at(minutes), termEndedAt });
      const renewed = await store.licenses.renew(license, aRenewal(license, 1), event);
      events.push(event);
      license = renewed!;
    }
    return { license, events };
  };

  it('are read as they were stored, every field', async () => {
    const license = await stored.license();
    const event = anEvent(license, 'revoked', {
      at: at(9),
      actor: license.user,
      machineId: 'machine 1',
      reason: 'Contract ended – “früher” 🚀',
      count: 3,
      termEndedAt: at(8),
    });
    const revocation = { revokedAt: at(9), revokedReason: null };
    await store.licenses.revoke(license._id, license.user, revocation, event);
    expect((await stored.eventsOf(license))[0]).toStrictEqual(event);
  });

  it('are shown newest first, ties broken by id, in pages of any size', async () => {
    const times = [5, 1, 5, 3, 5, 3, 4].map((minutes) => ({ minutes: minutes + 10 }));
    const { license } = await renewedAt(times);
    const all = await stored.eventsOf(license);
    expect(all).toHaveLength(times.length + 2);
    const sorted = all.toSorted((a, b) => +b.at - +a.at || (a._id < b._id ? 1 : -1));
    expect(all).toStrictEqual(sorted);
    for (const limit of [1, 2, 4, all.length, all.length + 1]) {
      expect(await readPages(listOf(license._id), limit)).toStrictEqual(sorted);
    }
  });

  it('are shown once each, though others are stored between the pages', async () => {
    const { license } = await renewedAt([{ minutes: 11 }, { minutes: 12 }, { minutes: 12 }]);
    const before = await stored.eventsOf(license);
    let day = 0;
    const shown = await readPages(listOf(license._id), 1, () =>
      reject(rejectedEvent(license._id, 'expired', 'machine 2', at(20 + 24 * 60 * day++))),
    );
    expect(shown).toStrictEqual(before);
  });

  it('are listed after a position between them or beyond them', async () => {
    const { license, events } = await renewedAt([{ minutes: 11 }, { minutes: 13 }]);
    const after = async (minutes: number, _id: string) =>
      idsOf((await listOf(license._id)({ limit: 1, after: { time: at(minutes), _id } })).data);
    expect(await after(12, newObjectId())).toStrictEqual([events[0]?._id]);
    expect(await after(13, 'f'.repeat(24))).toStrictEqual([events[1]?._id]);
    expect(await after(13, '0'.repeat(24))).toStrictEqual([events[0]?._id]);
    expect(await after(0, '0'.repeat(24))).toStrictEqual([]);
  });

  it('are those of no other license, and none for a missing license', async () => {
    const { license } = await renewedAt([{ minutes: 11 }]);
    await renewedAt([{ minutes: 11 }, { minutes: 12 }]);
    expect(await stored.eventsOf(license)).toHaveLength(3);
    expect(await listOf(newObjectId())(firstPage())).toStrictEqual({ data: [], next: null });
  });

  describe('listTermEnds', () => {
    it('lists the ends of terms after which the license was renewed', async () => {
      const { license } = await renewedAt([
        { minutes: 11, termEndedAt: at(10) },
        { minutes: 12 },
        { minutes: 21, termEndedAt: at(20) },
      ]);
      const ends = await store.events.listTermEnds(license._id);
      expect(ends.toSorted((a, b) => +a - +b)).toStrictEqual([at(10), at(20)]);
    });

    it('lists none of a license that was renewed in time, and none of another license', async () => {
      const { license } = await renewedAt([{ minutes: 11 }]);
      await renewedAt([{ minutes: 11, termEndedAt: at(10) }]);
      expect(await store.events.listTermEnds(license._id)).toStrictEqual([]);
      expect(await store.events.listTermEnds(newObjectId())).toStrictEqual([]);
    });
  });

  describe('recordRejection', () => {
    const aRejection = ({ _id }: License, minutes: number, machineId = 'machine 2') =>
      rejectedEvent(_id, 'other_machine', machineId, at(minutes));

    it('stores one event for an id, with the number of rejections and the fields of the last', async () => {
      const license = await stored.license();
      const [first, second] = [aRejection(license, 20), aRejection(license, 30, 'machine 3')];
      expect(second._id).toBe(first._id);
      await reject(first);
      expect((await stored.eventsOf(license))[0]).toStrictEqual(first);
      await reject(second);
      await reject(second);
      const [rejected, ...others] = await stored.eventsOf(license);
      expect(rejected).toStrictEqual({ ...first, at: at(30), machineId: 'machine 3', count: 3 });
      expect(others).toHaveLength(1);
    });

    it('keeps the latest time where an earlier rejection is recorded later', async () => {
      const license = await stored.license();
      await reject(aRejection(license, 30));
      await reject(aRejection(license, 20));
      expect((await stored.eventsOf(license))[0]).toMatchObject({ at: at(30), count: 2 });
    });

    it('stores an event for each reason and day', async () => {
      const license = await stored.license();
      const rejections = [
        rejectedEvent(license._id, 'other_machine', 'machine 2', at(20)),
        rejectedEvent(license._id, 'revoked', 'machine 2', at(30)),
        rejectedEvent(license._id, 'revoked', 'machine 2', at(30 + 24 * 60)),
      ];
      for (const rejection of rejections) await reject(rejection);
      const { data } = await listOf(license._id)(firstPage(3));
      expect(data).toStrictEqual(rejections.reverse());
    });

    it('counts each of 20 at the same time in one event', async () => {
      const license = await stored.license();
      const before = await store.count('license_events');
      await twenty((index) => reject(aRejection(license, 20 + index)));
      expect((await stored.eventsOf(license))[0]).toStrictEqual({
        ...aRejection(license, 39),
        count: 20,
      });
      expect(await store.count('license_events')).toBe(before + 1);
    });

    it('keeps the newest 90 events of a license, and counts on in each of them', async () => {
      const { license, events } = await renewedAt([{ minutes: 3, termEndedAt: at(2) }]);
      const days = Array.from({ length: 95 }, (_, day) => at(day * 24 * 60 + 5));
      const rejections = days.map((day, number) =>
        rejectedEvent(license._id, number % 2 ? 'revoked' : 'expired', 'machine 2', day),
      );
      for (const rejection of rejections) await reject(rejection);
      const [oldest] = rejections.slice(5);
      await reject(oldest!);
      const { data } = await listOf(license._id)(firstPage(200));
      const kept = [...rejections.slice(6).reverse(), { ...oldest!, count: 2 }];
      expect(data.slice(0, 90)).toStrictEqual(kept);
      expect(data.slice(90).map(({ type }) => type)).toStrictEqual([
        'renewed',
        'activated',
        'created',
      ]);
      expect(data[90]).toStrictEqual(events[0]);
      expect(await store.events.listTermEnds(license._id)).toStrictEqual([at(2)]);
    });

    it('deletes no event of another license', async () => {
      const [license, other] = [await stored.license(), await stored.license()];
      const onDay = ({ _id }: License, day: number) =>
        rejectedEvent(_id, 'revoked', 'machine 2', at(day * 24 * 60));
      for (let day = 0; day < 91; day++) {
        await reject(onDay(license, day));
        if (day < 2) await reject(onDay(other, day));
      }
      expect(await stored.eventsOf(other)).toHaveLength(3);
      expect((await listOf(license._id)(firstPage(200))).data).toHaveLength(91);
    });

    it('stores nothing for a license that was deleted, and does not fail', async () => {
      const { project, license } = await stored.project();
      await store.projects.deleteWithLicenses(project._id, project.owner, at(9));
      await reject(aRejection(license, 20));
      expect(await stored.eventsOf(license)).toStrictEqual([]);
    });
  });
});
