import { anEvent } from '../../test/builders/event.builder.js';
import { aClient } from '../../test/builders/client.builder.js';
import { activeUntil, aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { LicenseServices } from '../../test/license-services.js';
import type { Project } from '../projects/project.js';
import type { PageRequest } from '../shared/pagination/page.js';
import { insert } from '../storage/changes.js';
import type { License } from './license.js';
import { byTime, EVENTS, expiredEvent, type LicenseEvent } from './license-event.js';

const active = (expiresAt: Date, fields: Partial<License> = {}) =>
  aLicense(aProject(aClient()), { ...activeUntil(expiresAt), ...fields });

/** The events of a license in pages, as of minute 100. */
async function read(license: License, stored: LicenseEvent[], limit: number) {
  const { clock, events, ...services } = new LicenseServices();
  clock.set(at(100).toISOString());
  await services.store.commit(stored.map((event) => insert(EVENTS, event)));
  const pages: LicenseEvent[][] = [];
  for (let after: PageRequest['after']; ;) {
    const { data, next } = await events.list(license, { limit, after });
    pages.push(data.map((event) => ({ ...event, version: 0 })));
    // A list that never ends must fail, not hang.
    if (!next || pages.length > 20) return pages;
    after = next;
  }
}

describe('a list of events', () => {
  const license = active(at(90));
  const [created, activated, rejected] = [
    anEvent(license, 'created', { at: at(1) }),
    anEvent(license, 'activated', { at: at(2) }),
    anEvent(license, 'activation_rejected', { at: at(95) }),
  ];
  const renewed = (minutes: number, termEndedAt: Date | null) =>
    anEvent(license, 'renewed', { at: at(minutes), termEndedAt });

  it('includes the end of the term once it has come', async () => {
    const [page] = await read(license, [created, activated, rejected], 20);
    expect(page).toEqual([rejected, expiredEvent(license, at(90)), activated, created]);
  });

  it('includes the end of every term that was followed by a renewal, and of the last term', async () => {
    const events = [
      created,
      activated,
      renewed(20, at(10)),
      renewed(40, at(30)),
      renewed(50, null),
    ];
    const [page] = await read(license, events, 20);
    expect(page?.map(({ type, at: time }) => [type, time])).toEqual([
      ['expired', at(90)],
      ['renewed', at(50)],
      ['renewed', at(40)],
      ['expired', at(30)],
      ['renewed', at(20)],
      ['expired', at(10)],
      ['activated', at(2)],
      ['created', at(1)],
    ]);
  });

  it.each([
    ['has not ended', active(at(101))],
    ['was revoked before its end', active(at(90), { status: 'REVOKED', revokedAt: at(80) })],
    ['was never activated', aLicense(aProject(aClient()), { expiresAt: at(90) })],
  ])('includes no end of a license that %s', async (_what, other) => {
    const event = { ...created, license: other._id, accountId: other.user };
    const [page] = await read(other, [event], 20);
    expect(page).toEqual([event]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'lists each event once in pages of %i, whether stored or derived',
    async (limit) => {
      const events = [created, activated, renewed(20, at(10)), renewed(40, at(30)), rejected];
      const [whole] = await read(license, events, 20);
      expect(whole).toHaveLength(8);
      const pages = await read(license, events, limit);
      expect(pages.flat().map(({ _id }) => _id)).toEqual(whole?.map(({ _id }) => _id));
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(pages).toHaveLength(Math.ceil(8 / limit));
    },
  );

  it.each(['0', 'f'])('breaks ties between stored and derived events by id: %s', async (digit) => {
    const stored = { ...renewed(90, at(90)), _id: digit.repeat(24) };
    const both = [stored, expiredEvent(license, at(90))].sort(byTime);
    for (const limit of [1, 2, 20]) {
      const pages = await read({ ...license, expiresAt: at(101) }, [stored], limit);
      expect(pages.flat().map(({ _id }) => _id)).toEqual(both.map(({ _id }) => _id));
    }
  });
});

describe('LicenseEventsService', () => {
  const DAY = 24 * 60;
  let services: LicenseServices;
  let project: Project;
  let license: License;

  beforeEach(async () => {
    services = new LicenseServices();
    project = await services.project();
    license = await services.license(project);
  });

  const reject = (minutes: number, machineId = 'machine 2', of = license) =>
    services.events.recordRejection(of, 'other_machine', machineId, at(minutes));
  const certify = async (minutes: number, end: number, of = license) => {
    const certificate = { at: at(minutes), certificateExpiresAt: at(end) };
    const event = anEvent(of, 'certificate_issued', certificate);
    await services.put(...(await services.events.addBounded(event)));
  };

  describe('recordRejection', () => {
    it('stores one event of a day, with the number of rejections and the fields of the last', async () => {
      await reject(20);
      await reject(30, 'machine 3');
      await reject(25, 'machine 4');
      expect(services.eventsOf(license)).toMatchObject([
        { at: at(30), machineId: 'machine 4', count: 3, reason: 'other_machine' },
      ]);
    });

    it('stores an event for each reason and day', async () => {
      await reject(20);
      await services.events.recordRejection(license, 'revoked', 'machine 2', at(20));
      await reject(20 + DAY);
      expect(services.eventsOf(license)).toMatchObject([
        { reason: 'other_machine', at: at(20), count: 1 },
        { reason: 'revoked', at: at(20), count: 1 },
        { reason: 'other_machine', at: at(20 + DAY), count: 1 },
      ]);
    });

    it('counts each of 20 at the same time', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, index) => reject(20 + index)));
      expect(services.eventsOf(license)).toMatchObject([{ count: 20, at: at(39) }]);
    });

    it('counts on where another instance stored or counted the event meanwhile', async () => {
      const elsewhere = services.anotherInstance();
      for (const minutes of [20, 30]) {
        services.beforeNextCommit(() =>
          elsewhere.events.recordRejection(license, 'other_machine', 'machine 3', at(minutes)),
        );
        await reject(minutes + 1);
      }
      expect(services.eventsOf(license)).toMatchObject([{ count: 4, at: at(31) }]);
    });

    it('keeps the newest 90 events, and no event of another license is removed', async () => {
      const other = await services.license(project);
      await reject(0, 'machine 2', other);
      for (let day = 0; day < 95; day++) await reject(day * DAY);
      const days = services.eventsOf(license).map(({ at: time }) => time);
      expect(days).toEqual(Array.from({ length: 90 }, (_, day) => at((day + 5) * DAY)));
      expect(services.eventsOf(other)).toHaveLength(1);
    });

    it('stores nothing where the project was deleted meanwhile, and does not fail', async () => {
      services.beforeNextCommit(() => services.delete(project));
      await reject(20);
      await reject(21);
      expect(services.eventsOf(license)).toEqual([]);
    });
  });

  describe('addBounded', () => {
    it('keeps the newest 90 certificates, and the one that ends last', async () => {
      for (let number = 0; number < 95; number++) {
        await certify(10 + number, number === 1 ? 9_000 : 1_000 + (number % 7));
      }
      const times = services.eventsOf(license).map(({ at: time }) => time);
      const newest = Array.from({ length: 90 }, (_, index) => at(15 + index));
      expect(times).toEqual([at(11), ...newest]);
      expect(await services.events.lastCertificateEnd(license)).toEqual(at(9_000));
    });
  });

  describe('lastCertificateEnd', () => {
    const lastEnd = () => services.events.lastCertificateEnd(license);

    it('is null before the first certificate', async () => {
      await certify(10, 30, await services.license(project));
      await services.put(insert(EVENTS, anEvent(license, 'renewed', { termEndedAt: at(60) })));
      expect(await lastEnd()).toBeNull();
    });

    it.each([[[30]], [[10, 30, 20]], [[30, 10]], [[30, 30, 20]]])(
      'is the latest of %j, in whatever order they were issued',
      async (ends) => {
        for (const [index, end] of ends.entries()) await certify(index, end);
        expect(await lastEnd()).toEqual(at(30));
      },
    );
  });
});
