import { aLicense, aMachine, aProject } from '../../test/builders.js';
import type { License } from '../licenses/license.js';
import { addDays, startOfDay } from '../shared/time/calendar.js';
import type { Machine } from './machine.js';
import {
  lastCertificateEnd,
  renewed,
  hasEndedLease,
  isForgotten,
  leaseEndOf,
  released,
  withCertificateUntil,
  withLease,
} from './seat.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const seconds = (count: number) => new Date(NOW.getTime() + count * 1000);

const aLicenseWith = (fields: Partial<License> = {}) =>
  aLicense(aProject(), { status: 'ACTIVE', leaseSeconds: 1000, ...fields });
const LEASED = aLicenseWith();
const UNLEASED = aLicenseWith({ leaseSeconds: null });

const leased = (ends: number, fields: Partial<Machine> = {}) =>
  aMachine('a', { leaseEndsAt: seconds(ends), ...fields }, LEASED);
const bound = (fields: Partial<Machine> = {}) => aMachine('a', fields, LEASED);

it('a seat retaken by its machine keeps its name and certificates', () => {
  const again = (machine: Machine) => renewed(LEASED, machine, { machineId: 'a' }, false, NOW);
  const own = leased(2000, { name: 'desk', isCertified: true, isReleased: true });
  expect(again(own)).toMatchObject({
    ...{ name: 'desk', leaseEndsAt: seconds(2000), isCertified: true, isReleased: false },
    activatedAt: NOW,
  });
  const ended = leased(0, { isCertified: true });
  expect(again(ended)).toMatchObject({
    ...{ leaseEndsAt: seconds(1000), isCertified: false, activatedAt: NOW },
    createdAt: ended.createdAt,
  });
});

it('an expired lease is remembered for 30 days, or not at all if the machine was released', () => {
  const month = addDays(NOW, -30);
  const ended = (at: Date, isReleased = false) => leased(0, { leaseEndsAt: at, isReleased });
  const justAfter = new Date(month.getTime() + 1);
  expect(
    [ended(NOW), ended(justAfter), ended(month), ended(NOW, true), leased(1)].map((machine) =>
      hasEndedLease(LEASED, machine, NOW),
    ),
  ).toEqual([true, true, false, false, false]);
  expect(isForgotten(LEASED, ended(month, true), NOW)).toBe(true);
  expect(isForgotten(UNLEASED, ended(month), NOW)).toBe(false);
});

describe('a heartbeat', () => {
  const beat = (machine: Machine, isCertified = false, name?: string) =>
    renewed(LEASED, machine, { machineId: 'a', name }, isCertified, NOW);

  it.each([
    [950, 1000],
    [951, 951],
    [1049, 1049],
    [2000, 1000],
  ])('moves a lease end from %i s of 1,000 to %i s', (left, end) => {
    expect(beat(leased(left))).toMatchObject({ leaseEndsAt: seconds(end) });
  });

  it('keeps a later lease end while a certificate is valid', () => {
    const end = { leaseEndsAt: seconds(2000) };
    expect(beat(leased(2000, { isCertified: true }))).toMatchObject(end);
    expect(beat(leased(2000, { certificateEndsAt: seconds(2000) }))).toMatchObject(end);
  });

  it('that barely moves the lease end changes nothing, unless it adds a certificate or another name', () => {
    const machine = leased(960, { name: 'desk' });
    expect(beat(machine, false, 'desk')).toBe(machine);
    expect(beat(machine)).toBe(machine);
    expect(beat(machine, true)).toMatchObject({ isCertified: true, lastSeenAt: startOfDay(NOW) });
    expect(beat(machine, false, 'Sofa')).toMatchObject({ name: 'Sofa', searchName: 'sofa' });
    expect(beat(leased(100, { isCertified: true }))).toMatchObject({ isCertified: true });
  });

  it('keeps the time the machine took its seat, and does not certify a seat without a lease', () => {
    expect(beat(leased(100)).activatedAt).toEqual(leased(100).activatedAt);
    const machine = bound();
    expect(renewed(UNLEASED, machine, { machineId: 'a' }, true, NOW)).toBe(machine);
  });
});

describe('a release', () => {
  it('frees the seat immediately, unless the machine has a certificate that expires with its lease', () => {
    expect(released(LEASED, leased(5), NOW)).toBeNull();
    expect(released(UNLEASED, bound(), NOW)).toBeNull();
    const certified = leased(5, { isCertified: true });
    expect(released(LEASED, certified, NOW)).toEqual({ ...certified, isReleased: true });
    // The vendor knows about certificates for offline activation.
    const offline = { ...certified, certificateEndsAt: seconds(5) };
    expect(released(LEASED, offline, NOW)).toBeNull();
  });

  it('reports when the known certificates expire', () => {
    const endOf = (machine: Machine) => lastCertificateEnd(LEASED, machine, NOW);
    expect(endOf(leased(5))).toBeNull();
    expect(endOf(leased(5, { isCertified: true }))).toEqual(seconds(5));
    const offline = { certificateEndsAt: seconds(9), leaseEndsAt: seconds(9) };
    expect(endOf(bound(offline))).toEqual(seconds(9));
    expect(endOf(bound({ certificateEndsAt: NOW, leaseEndsAt: NOW }))).toBeNull();
  });
});

it('a certificate for offline activation holds the seat until it expires', () => {
  const until = (end: number) => ({ leaseEndsAt: seconds(end), certificateEndsAt: seconds(end) });
  const held = (machine: Machine, license = LEASED) =>
    withCertificateUntil(license, machine, seconds(99));
  expect(held(leased(5))).toMatchObject(until(99));
  expect(held(leased(100, until(100)))).toMatchObject(until(100));
  // A lease that is added later lasts as long as the certificate.
  expect(held(bound(), UNLEASED)).toMatchObject(until(99));
  expect(leaseEndOf(UNLEASED, held(bound(), UNLEASED))).toBeNull();
});

describe('changing the leases of a license', () => {
  type Switch = readonly [at: number, leaseSeconds: number | null];
  const switched = (...to: readonly Switch[]) =>
    to.reduce<License>(
      (license, [at, leaseSeconds]) => withLease(license, leaseSeconds, seconds(at)),
      to[0]?.[1] === null ? LEASED : UNLEASED,
    );
  const [ADDED, REMOVED, SET]: Switch[] = [
    [0, 600],
    [0, null],
    [10, 600],
  ];

  it.each<[string, Switch[], number | null, number | null]>([
    ['starts leases when they are set', [[0, 600]], null, 600],
    ['lets a lease last as long as a certificate for offline activation', [[0, 600]], 5000, 5000],
    ['keeps a lease expired that had expired when leases were removed', [REMOVED!], 0, 0],
    ['keeps the seat of an unexpired lease when leases are removed', [REMOVED!], 1, null],
    ['keeps an expired lease expired once leases are set again', [REMOVED!, SET!], 0, 0],
    ['restarts an unexpired lease once leases are set again', [REMOVED!, SET!], 1, 610],
    ['keeps expired leases expired if removed a second time', [REMOVED!, SET!, [20, null]], 0, 0],
    ['keeps leases expired that expired once set again', [REMOVED!, SET!, [611, null]], 1, 1],
    ['keeps the seats of leases removed before they expire', [ADDED!, [10, null]], null, null],
    ['keeps the seats of leases removed with a later end', [ADDED!, [10, null]], 5, null],
  ])('%s', (_which, switches, stored, end) => {
    const machine = stored === null ? bound() : leased(stored);
    expect(leaseEndOf(switched(...switches), machine)).toEqual(end === null ? null : seconds(end));
  });

  it('applies a new length from the next heartbeat; a seat waiting for a certificate is freed with it', () => {
    expect(withLease(LEASED, 600, NOW)).toEqual({ ...LEASED, leaseSeconds: 600 });
    const waiting = leased(1, { isReleased: true, isCertified: true });
    expect(leaseEndOf(switched(REMOVED!), waiting)).toEqual(seconds(1));
  });

  it('drops certificates issued for an earlier lease', () => {
    const certified = leased(5, { isCertified: true });
    for (const license of [switched([0, null]), switched([0, null], [1, 600])]) {
      expect(released(license, certified, seconds(2))).toBeNull();
      expect(lastCertificateEnd(license, certified, seconds(2))).toBeNull();
    }
  });

  it("certifies a later lease end than the machine's last one", () => {
    const license = switched([0, 1000]);
    const machine = renewed(license, bound(), { machineId: 'a' }, true, seconds(1));
    expect(machine).toMatchObject({ isCertified: true, leaseEndsAt: seconds(1000) });
    expect(released(license, machine, seconds(2))).toMatchObject({ isReleased: true });
  });
});
