import { aClient } from '../../test/builders/client.builder.js';
import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { OBJECT_ID_PATTERN } from '../shared/ids/object-id.js';
import { NOT_STORED } from '../storage/collection.js';
import {
  byTime,
  countedAgain,
  createdEvent,
  eventsToDrop,
  expiredEvent,
  isAfter,
  licenseEvent,
  type LicenseEvent,
  rejectedEvent,
} from './license-event.js';

const project = aProject(aClient());
const LICENSE = aLicense(project, { _id: '1'.repeat(24) });
const OTHER = aLicense(project, { _id: '2'.repeat(24) });
const on = (time: string) => new Date(time);
const MORNING = on('2026-01-31T00:00:00.000Z');
const EVENING = on('2026-01-31T23:59:59.999Z');

describe('licenseEvent', () => {
  it('has a count of 1, and null for every field that was not given', () => {
    const event = licenseEvent(LICENSE, 'activated', MORNING);
    expect(event).toEqual({
      _id: expect.stringMatching(OBJECT_ID_PATTERN) as string,
      version: NOT_STORED,
      accountId: LICENSE.user,
      license: LICENSE._id,
      project: project._id,
      type: 'activated',
      at: MORNING,
      actor: null,
      machineId: null,
      reason: null,
      count: 1,
      termEndedAt: null,
      certificateExpiresAt: null,
    });
    const details = { reason: 'Contract ended', termEndedAt: EVENING };
    expect(licenseEvent(LICENSE, 'activated', MORNING, details)).toMatchObject(details);
  });

  it('has an id of its own', () => {
    const ids = [1, 2].map(() => licenseEvent(LICENSE, 'revoked', MORNING)._id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('of a creation has the account and the time of the creation', () => {
    expect(createdEvent(LICENSE)).toMatchObject({
      license: LICENSE._id,
      type: 'created',
      at: LICENSE.createdAt,
      actor: LICENSE.user,
    });
  });
});

describe('rejectedEvent', () => {
  const first = rejectedEvent(LICENSE, 'revoked', 'machine 1', MORNING);

  it('is the same for a whole day, whatever the machine and the hour', () => {
    const last = rejectedEvent(LICENSE, 'revoked', 'machine 2', EVENING);
    expect(last).toEqual({ ...first, at: EVENING, machineId: 'machine 2' });
    expect(first).toMatchObject({ type: 'activation_rejected', reason: 'revoked', count: 1 });
    expect(first._id).toMatch(/^[0-9a-f]{24}$/);
  });

  it('differs for another license, reason or day', () => {
    const others = [
      rejectedEvent(OTHER, 'revoked', 'machine 1', MORNING),
      rejectedEvent(LICENSE, 'expired', 'machine 1', MORNING),
      rejectedEvent(LICENSE, 'other_machine', 'machine 1', MORNING),
      rejectedEvent(LICENSE, 'revoked', 'machine 1', on('2026-02-01T00:00:00.000Z')),
      rejectedEvent(LICENSE, 'revoked', 'machine 1', on('2026-01-30T23:59:59.999Z')),
    ];
    expect(new Set([first, ...others].map(({ _id }) => _id)).size).toBe(6);
  });
});

it('derived ids stay as they are: stored events and positions of lists have them', () => {
  const ids = [
    rejectedEvent(LICENSE, 'revoked', 'machine 1', MORNING),
    expiredEvent(LICENSE, MORNING),
  ];
  expect(ids.map(({ _id }) => _id)).toEqual([
    '3e4123faa383cd91cae0f7ce',
    '631c658c423f7ee01475e393',
  ]);
});

describe('expiredEvent', () => {
  it('is always the same for one end of a term, and differs for another', () => {
    const event = expiredEvent(LICENSE, MORNING);
    expect(event).toMatchObject({
      license: LICENSE._id,
      type: 'expired',
      at: MORNING,
      actor: null,
    });
    expect(expiredEvent(LICENSE, on(MORNING.toISOString()))).toEqual(event);
    const others = [
      expiredEvent(OTHER, MORNING),
      expiredEvent(LICENSE, on('2026-01-31T00:00:00.001Z')),
      rejectedEvent(LICENSE, 'expired', 'machine 1', MORNING),
    ];
    expect(new Set([event, ...others].map(({ _id }) => _id)).size).toBe(4);
  });
});

describe('the order of events', () => {
  const event = (time: Date, digit: string) => ({
    ...licenseEvent(LICENSE, 'renewed', time),
    _id: digit.repeat(24),
  });
  const newestFirst = [event(EVENING, '1'), event(MORNING, 'f'), event(MORNING, '2')];

  it('is newest first, ties broken by id', () => {
    expect(newestFirst.toReversed().sort(byTime)).toEqual(newestFirst);
    expect(byTime(newestFirst[1]!, newestFirst[2]!)).toBeLessThan(0);
    expect(byTime(newestFirst[2]!, newestFirst[1]!)).toBeGreaterThan(0);
    expect(byTime(newestFirst[0]!, newestFirst[0]!)).toBe(0);
  });

  it('continues after a position, without the event at the position', () => {
    const after = newestFirst.map(({ at, _id }) =>
      newestFirst.filter((other) => isAfter({ time: at, _id }, other)),
    );
    expect(after).toEqual([newestFirst.slice(1), newestFirst.slice(2), []]);
  });
});

describe('countedAgain', () => {
  const stored = { ...rejectedEvent(LICENSE, 'revoked', 'machine 1', at(20)), count: 4 };

  it('counts one more, with the machine and the time of the last', () => {
    const next = rejectedEvent(LICENSE, 'revoked', 'machine 2', at(30));
    const counted = { ...stored, count: 5, at: at(30), machineId: 'machine 2' };
    expect(countedAgain(stored, next)).toStrictEqual(counted);
  });

  it('keeps the latest time where an earlier one is counted later', () => {
    const next = rejectedEvent(LICENSE, 'revoked', 'machine 2', at(10));
    expect(countedAgain(stored, next)).toMatchObject({ count: 5, at: at(20) });
  });
});

describe('eventsToDrop', () => {
  const rejections = (count: number) =>
    Array.from({ length: count }, (_, minute) =>
      licenseEvent(LICENSE, 'activation_rejected', at(minute)),
    );
  const certificates = (count: number, endOf: (index: number) => number) =>
    Array.from({ length: count }, (_, minute) =>
      licenseEvent(LICENSE, 'certificate_issued', at(minute), {
        certificateExpiresAt: at(endOf(minute)),
      }),
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
    const ends = (index: number) => ([3, 5].includes(index) ? 1_000 : index);
    const events = certificates(100, ends);
    const older = events.slice(0, 10).reverse();
    expect(dropped(events)).toEqual(older.filter((event) => event !== events[5]));
  });
});
