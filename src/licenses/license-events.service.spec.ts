import { aClient } from '../../test/builders/client.builder.js';
import { anEvent } from '../../test/builders/event.builder.js';
import { activeUntil, aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { LicenseServices } from '../../test/license-services.js';
import type { Project } from '../projects/project.js';
import type { PageRequest } from '../shared/pagination/page.js';
import { insert } from '../storage/changes.js';
import {
  countedAgain,
  EVENTS,
  eventsToDrop,
  expiredEvent,
  licenseEvent,
  type LicenseEvent,
  rejectedEvent,
} from './license-event.js';
import type { License } from './license.js';

const PROJECT = aProject(aClient());
const LICENSE = aLicense(PROJECT, { _id: '1'.repeat(24) });
const OTHER = aLicense(PROJECT, { _id: '2'.repeat(24) });
const on = (time: string) => new Date(time);
const MORNING = on('2026-01-31T00:00:00.000Z');
const EVENING = on('2026-01-31T23:59:59.999Z');

describe('the id of an event', () => {
  const rejected = rejectedEvent(LICENSE, 'revoked', 'machine 1', MORNING);
  const expired = expiredEvent(LICENSE, MORNING);

  it('is derived of a rejection or an end, and stays as it is: stored events and positions of lists have it', () => {
    expect(rejected._id).toBe('3e4123faa383cd91cae0f7ce');
    expect(expired._id).toBe('631c658c423f7ee01475e393');
  });

  it('is the same for the rejections of a day, whatever the machine and the hour', () => {
    const last = rejectedEvent(LICENSE, 'revoked', 'machine 2', EVENING);
    expect(last).toEqual({ ...rejected, at: EVENING, machineId: 'machine 2' });
  });

  it('differs for another license, reason or day, and for another end of a term', () => {
    const others = [
      rejectedEvent(OTHER, 'revoked', 'machine 1', MORNING),
      rejectedEvent(LICENSE, 'expired', 'machine 1', MORNING),
      rejectedEvent(LICENSE, 'other_machine', 'machine 1', MORNING),
      rejectedEvent(LICENSE, 'revoked', 'machine 1', on('2026-02-01T00:00:00.000Z')),
      rejectedEvent(LICENSE, 'revoked', 'machine 1', on('2026-01-30T23:59:59.999Z')),
      expiredEvent(OTHER, MORNING),
      expiredEvent(LICENSE, on('2026-01-31T00:00:00.001Z')),
    ];
    expect(new Set([rejected, expired, ...others].map(({ _id }) => _id)).size).toBe(9);
  });
});

it('a rejection is counted again with the machine of the last one, and the latest time', () => {
  const stored = { ...rejectedEvent(LICENSE, 'revoked', 'machine 1', at(20)), count: 4 };
  for (const [minutes, latest] of [
    [30, 30],
    [10, 20],
  ] as const) {
    const next = rejectedEvent(LICENSE, 'revoked', 'machine 2', at(minutes));
    const counted = { ...stored, count: 5, at: at(latest), machineId: 'machine 2' };
    expect(countedAgain(stored, next)).toStrictEqual(counted);
  }
});

describe('the events that a license keeps no longer', () => {
  const rejections = (count: number) =>
    Array.from({ length: count }, (_, minute) =>
      licenseEvent(LICENSE, 'activation_rejected', at(minute)),
    );
  /** Adds the last of these events to the others. */
  const dropped = (events: LicenseEvent[]) => eventsToDrop(events.slice(0, -1), events.at(-1)!);

  it('are none up to 90 events, and the oldest ones beyond', () => {
    const events = rejections(93);
    expect(dropped(events.slice(0, 90))).toEqual([]);
    expect(dropped(events.slice(0, 91))).toEqual([events[0]]);
    expect(dropped(events)).toEqual([events[2], events[1], events[0]]);
  });

  it('never include the added event, though 90 are newer by their clock', () => {
    const [oldest, ...others] = rejections(91);
    expect(eventsToDrop(others, oldest!)).toEqual([]);
  });

  it('never include the certificate that ends last, and of those that end at once the newest', () => {
    const events = Array.from({ length: 100 }, (_, minute) => {
      const certificateExpiresAt = at([3, 5].includes(minute) ? 1_000 : minute);
      return licenseEvent(LICENSE, 'certificate_issued', at(minute), { certificateExpiresAt });
    });
    const older = events.slice(0, 10).reverse();
    expect(dropped(events)).toEqual(older.filter((event) => event !== events[5]));
  });
});

describe('a list of events', () => {
  const license = aLicense(PROJECT, activeUntil(at(90)));
  const [created, activated, rejected] = [
    anEvent(license, 'created', { at: at(1) }),
    anEvent(license, 'activated', { at: at(2) }),
    anEvent(license, 'activation_rejected', { at: at(95) }),
  ];
  const renewed = (minutes: number, termEndedAt: Date | null) =>
    anEvent(license, 'renewed', { at: at(minutes), termEndedAt });

  /** The events of a license in pages, as of minute 100. */
  const read = async (of: License, stored: LicenseEvent[], limit: number) => {
    const { clock, events, store } = new LicenseServices();
    clock.set(at(100).toISOString());
    await store.commit(stored.map((event) => insert(EVENTS, event)));
    const pages: LicenseEvent[][] = [];
    for (let after: PageRequest['after']; ;) {
      const { data, next } = await events.list(of, { limit, after });
      pages.push(data.map((event) => ({ ...event, version: 0 })));
      // A list that never ends must fail, not hang.
      if (!next || pages.length > 20) return pages;
      after = next;
    }
  };

  it('includes each end of a term, after which the license was renewed, once in pages of any size', async () => {
    const renewals = [renewed(20, at(10)), renewed(40, at(30)), renewed(50, null)];
    const events = [created, activated, ...renewals, rejected];
    const expected = [
      ['activation_rejected', at(95)],
      ['expired', at(90)],
      ['renewed', at(50)],
      ['renewed', at(40)],
      ['expired', at(30)],
      ['renewed', at(20)],
      ['expired', at(10)],
      ['activated', at(2)],
      ['created', at(1)],
    ];
    for (let limit = 1; limit <= 10; limit++) {
      const pages = await read(license, events, limit);
      expect(pages.flat().map(({ type, at: time }) => [type, time])).toEqual(expected);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(pages).toHaveLength(Math.ceil(9 / limit));
    }
  });

  it.each<[string, Partial<License>]>([
    ['has not ended', activeUntil(at(101))],
    [
      'was revoked before its end',
      { ...activeUntil(at(90)), status: 'REVOKED', revokedAt: at(80) },
    ],
    ['was never activated', { expiresAt: at(90) }],
  ])('includes no end of a license that %s', async (_what, fields) => {
    const other = aLicense(PROJECT, { _id: license._id, ...fields });
    expect(await read(other, [created], 20)).toEqual([[created]]);
  });

  it.each(['0', 'f'])('breaks ties between stored and derived events by id: %s', async (digit) => {
    const stored = { ...renewed(90, at(90)), _id: digit.repeat(24) };
    const derived = expiredEvent(license, at(90));
    const both = digit === 'f' ? [stored, derived] : [derived, stored];
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

  const reject = (minutes: number, of = license) =>
    services.events.recordRejection(of, 'other_machine', 'machine 2', at(minutes));

  it('counts on where another instance stored or counted a rejection meanwhile', async () => {
    const elsewhere = services.anotherInstance();
    for (const minutes of [20, 30]) {
      services.beforeNextCommit(() =>
        elsewhere.events.recordRejection(license, 'other_machine', 'machine 3', at(minutes)),
      );
      await reject(minutes + 1);
    }
    expect(services.eventsOf(license)).toMatchObject([{ count: 4, at: at(31) }]);
  });

  it('keeps the newest 90 rejections, and removes no event of another license', async () => {
    const other = await services.license(project);
    await reject(0, other);
    for (let day = 0; day < 95; day++) await reject(day * DAY);
    const days = services.eventsOf(license).map(({ at: time }) => time);
    expect(days).toEqual(Array.from({ length: 90 }, (_, day) => at((day + 5) * DAY)));
    expect(services.eventsOf(other)).toHaveLength(1);
  });

  it('stores no rejection where the project was deleted meanwhile, and does not fail', async () => {
    services.beforeNextCommit(() => services.delete(project));
    await reject(20);
    await reject(21);
    expect(services.eventsOf(license)).toEqual([]);
  });

  it('finds the latest end of the certificates, in whatever order they were issued', async () => {
    expect(await services.events.lastCertificateEnd(license)).toBeNull();
    for (const [index, end] of [10, 30, 20, 30].entries()) {
      const certificate = { at: at(index), certificateExpiresAt: at(end) };
      const event = anEvent(license, 'certificate_issued', certificate);
      await services.put(...(await services.events.addBounded(event)));
    }
    expect(await services.events.lastCertificateEnd(license)).toEqual(at(30));
  });
});
