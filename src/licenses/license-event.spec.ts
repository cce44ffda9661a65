import { aClient } from '../../test/builders/client.builder.js';
import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { OBJECT_ID_PATTERN } from '../shared/ids/object-id.js';
import {
  byTime,
  createdEvent,
  expiredEvent,
  isAfter,
  keptEvents,
  licenseEvent,
  type LicenseEvent,
  rejectedEvent,
} from './license-event.js';

const LICENSE = '1'.repeat(24);
const on = (time: string) => new Date(time);
const MORNING = on('2026-01-31T00:00:00.000Z');
const EVENING = on('2026-01-31T23:59:59.999Z');

describe('licenseEvent', () => {
  it('has a count of 1, and null for every field that was not given', () => {
    const event = licenseEvent({ license: LICENSE, type: 'activated', at: MORNING });
    expect(event).toEqual({
      _id: expect.stringMatching(OBJECT_ID_PATTERN) as string,
      license: LICENSE,
      type: 'activated',
      at: MORNING,
      actor: null,
      machineId: null,
      reason: null,
      count: 1,
      termEndedAt: null,
      certificateExpiresAt: null,
    });
    expect(licenseEvent(event)).toEqual(event);
  });

  it('has an id of its own', () => {
    const what = { license: LICENSE, type: 'revoked', at: MORNING } as const;
    expect(licenseEvent(what)._id).not.toBe(licenseEvent(what)._id);
  });

  it('of a creation has the account and the time of the creation', () => {
    const license = aLicense(aProject(aClient()));
    expect(createdEvent(license)).toMatchObject({
      license: license._id,
      type: 'created',
      at: license.createdAt,
      actor: license.user,
    });
  });
});

describe('rejectedEvent', () => {
  const first = rejectedEvent(LICENSE, 'revoked', 'machine 1', MORNING);

  it('is the same for a whole day, whatever the machine and the hour', () => {
    const last = rejectedEvent(LICENSE, 'revoked', 'machine 2', EVENING);
    expect(last).toEqual({ ...first, at: EVENING, machineId: 'machine 2' });
    expect(first).toMatchObject({ type: 'activation_refused', reason: 'revoked', count: 1 });
    expect(first._id).toMatch(/^[0-9a-f]{24}$/);
  });

  it('differs for another license, reason or day', () => {
    const others = [
      rejectedEvent('2'.repeat(24), 'revoked', 'machine 1', MORNING),
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
    expect(event).toMatchObject({ license: LICENSE, type: 'expired', at: MORNING, actor: null });
    expect(expiredEvent(LICENSE, on(MORNING.toISOString()))).toEqual(event);
    const others = [
      expiredEvent('2'.repeat(24), MORNING),
      expiredEvent(LICENSE, on('2026-01-31T00:00:00.001Z')),
      rejectedEvent(LICENSE, 'expired', 'machine 1', MORNING),
    ];
    expect(new Set([event, ...others].map(({ _id }) => _id)).size).toBe(4);
  });
});

describe('the order of events', () => {
  const event = (time: Date, digit: string) => ({
    ...licenseEvent({ license: LICENSE, type: 'renewed', at: time }),
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

describe('keptEvents', () => {
  const events = (type: LicenseEvent['type'], count: number, fields: Partial<LicenseEvent> = {}) =>
    Array.from({ length: count }, (_, minute) =>
      licenseEvent({ license: LICENSE, type, at: at(minute), ...fields }),
    );
  const certificates = (count: number, ends: (index: number) => number) =>
    events('certificate_issued', count).map((event, index) => ({
      ...event,
      certificateExpiresAt: at(ends(index)),
    }));

  it('keeps all events of the types that callers cannot repeat', () => {
    const renewed = events('renewed', 500);
    expect(keptEvents(renewed)).toEqual(renewed);
  });

  it('keeps the newest 90 rejections and the newest 90 certificates', () => {
    const rejections = events('activation_refused', 91);
    const issued = certificates(92, (index) => index);
    expect(keptEvents([...rejections, ...issued])).toEqual([
      ...rejections.slice(1),
      ...issued.slice(2),
    ]);
  });

  it('keeps the certificate that ends last, and of those that end at the same time the newest', () => {
    const issued = certificates(200, (index) => ([3, 5].includes(index) ? 1_000 : index));
    expect(keptEvents(issued)).toEqual([issued[5], ...issued.slice(-90)]);
  });
});
