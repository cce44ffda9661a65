import { aLicense, aMachine, aProject } from '../../test/builders.js';
import type { License } from '../licenses/license.js';
import { addDays, startOfDay } from '../shared/time/days.js';
import type { Machine } from './machine.js';
import {
  endOfCertificates,
  extended,
  hasEnded,
  hasEndedLease,
  holdsSeat,
  isForgotten,
  leaseEndOf,
  released,
  seated,
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

describe('a seat', () => {
  it('is held until its lease ends, and until it is released without one', () => {
    expect([leased(0), leased(1)].map((one) => holdsSeat(LEASED, one, NOW))).toEqual([false, true]);
    expect(holdsSeat(UNLEASED, bound(), NOW)).toBe(true);
    expect(holdsSeat(LEASED, null, NOW)).toBe(false);
  });

  it('that is released and waits for a certificate is taken, but held by no machine', () => {
    const machine = leased(1, { isReleased: true, isCertified: true });
    expect([holdsSeat(LEASED, machine, NOW), hasEnded(LEASED, machine, NOW)]).toEqual([
      false,
      false,
    ]);
    expect(hasEnded(LEASED, machine, seconds(1))).toBe(true);
  });

  it('begins with a lease from now on', () => {
    const caller = { machineId: 'b'.repeat(64), name: 'Desk' };
    expect(seated(LEASED, caller, true, NOW)).toEqual({
      ...aMachine('b'.repeat(64), {}, LEASED),
      ...{ name: 'Desk', searchName: 'desk', leaseEndsAt: seconds(1000), isCertified: true },
      ...{ createdAt: NOW, activatedAt: NOW, lastSeenAt: startOfDay(NOW) },
    });
    const held = seated(UNLEASED, caller, true, NOW);
    expect(held).toMatchObject({ leaseEndsAt: null, isCertified: false });
  });

  it('that its machine takes again keeps its name, and what its certificates hold', () => {
    const again = (machine: Machine) => extended(LEASED, machine, { machineId: 'a' }, false, NOW);
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
});

it('an ended lease is remembered for 30 days, and not at all if the machine was released', () => {
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
    extended(LEASED, machine, { machineId: 'a', name }, isCertified, NOW);

  it.each([
    [950, 1000],
    [951, 951],
    [1049, 1049],
    [2000, 1000],
  ])('moves the end of a lease in %i s of 1,000 to %i s', (left, end) => {
    expect(beat(leased(left))).toMatchObject({ leaseEndsAt: seconds(end) });
  });

  it('keeps a later end as long as a certificate is valid', () => {
    const end = { leaseEndsAt: seconds(2000) };
    expect(beat(leased(2000, { isCertified: true }))).toMatchObject(end);
    expect(beat(leased(2000, { certificateEndsAt: seconds(2000) }))).toMatchObject(end);
  });

  it('that would move the end little changes nothing, unless a certificate or another name comes with it', () => {
    const machine = leased(960, { name: 'desk' });
    expect(beat(machine, false, 'desk')).toBe(machine);
    expect(beat(machine)).toBe(machine);
    expect(beat(machine, true)).toMatchObject({ isCertified: true, lastSeenAt: startOfDay(NOW) });
    expect(beat(machine, false, 'Sofa')).toMatchObject({ name: 'Sofa', searchName: 'sofa' });
    expect(beat(leased(100, { isCertified: true }))).toMatchObject({ isCertified: true });
  });

  it('keeps when the machine took its seat, and marks no seat without a lease', () => {
    expect(beat(leased(100)).activatedAt).toEqual(leased(100).activatedAt);
    const machine = bound();
    expect(extended(UNLEASED, machine, { machineId: 'a' }, true, NOW)).toBe(machine);
  });
});

describe('a release', () => {
  it('frees the seat immediately, unless its machine has a certificate that ends with its lease', () => {
    expect(released(LEASED, leased(5), NOW)).toBeNull();
    expect(released(UNLEASED, bound(), NOW)).toBeNull();
    const certified = leased(5, { isCertified: true });
    expect(released(LEASED, certified, NOW)).toEqual({ ...certified, isReleased: true });
    // The vendor knows of a certificate for offline activation.
    const offline = { ...certified, certificateEndsAt: seconds(5) };
    expect(released(LEASED, offline, NOW)).toBeNull();
  });

  it('says until when certificates are valid that the service knows of', () => {
    const endOf = (machine: Machine) => endOfCertificates(LEASED, machine, NOW);
    expect(endOf(leased(5))).toBeNull();
    expect(endOf(leased(5, { isCertified: true }))).toEqual(seconds(5));
    const offline = { certificateEndsAt: seconds(9), leaseEndsAt: seconds(9) };
    expect(endOf(bound(offline))).toEqual(seconds(9));
    expect(endOf(bound({ certificateEndsAt: NOW, leaseEndsAt: NOW }))).toBeNull();
  });
});

it('a certificate for offline activation holds the seat until it ends', () => {
  const until = (end: number) => ({ leaseEndsAt: seconds(end), certificateEndsAt: seconds(end) });
  const held = (machine: Machine, license = LEASED) =>
    withCertificateUntil(license, machine, seconds(99));
  expect(held(leased(5))).toMatchObject(until(99));
  expect(held(leased(100, until(100)))).toMatchObject(until(100));
  // Leases that are set later last as long as the certificate.
  expect(held(bound(), UNLEASED)).toMatchObject(until(99));
  expect(leaseEndOf(UNLEASED, held(bound(), UNLEASED))).toBeNull();
});

describe('the leases of a license', () => {
  const switched = (...to: readonly (readonly [at: number, leaseSeconds: number | null])[]) =>
    to.reduce<License>(
      (license, [at, leaseSeconds]) => withLease(license, leaseSeconds, seconds(at)),
      to[0]?.[1] === null ? LEASED : UNLEASED,
    );
  const endOf = (license: License, machine: Machine) => {
    const end = leaseEndOf(license, machine);
    return end && (end.getTime() - NOW.getTime()) / 1000;
  };

  it('begin when they are set, and last as long as a certificate for offline activation', () => {
    const license = switched([0, 600]);
    expect(endOf(license, bound())).toBe(600);
    const offline = withCertificateUntil(UNLEASED, bound(), seconds(5000));
    expect(endOf(license, offline)).toBe(5000);
    expect(endOf(license, leased(700))).toBe(700);
  });

  it('of another length apply from the next heartbeat on', () => {
    expect(withLease(LEASED, 600, NOW)).toEqual({ ...LEASED, leaseSeconds: 600 });
  });

  it('that had ended, or wait for a certificate, end, however often leases are removed and set', () => {
    const [once, again] = [switched([0, null]), switched([0, null], [10, 600])];
    const waiting = leased(1, { isReleased: true, isCertified: true });
    expect([leased(0), leased(1), waiting].map((one) => endOf(once, one))).toEqual([0, null, 1]);
    expect([leased(0), leased(1)].map((one) => endOf(again, one))).toEqual([0, 610]);
    expect(endOf(switched([0, null], [10, 600], [20, null]), leased(0))).toBe(0);
    expect(endOf(switched([0, null], [10, 600], [611, null]), leased(1))).toBe(1);
  });

  it('that are removed before the first of them ends keep every seat', () => {
    const license = switched([0, 600], [10, null]);
    expect([bound(), leased(5)].map((one) => endOf(license, one))).toEqual([null, null]);
  });

  it('take no certificate with them that the machine got for an earlier lease', () => {
    const certified = leased(5, { isCertified: true });
    for (const license of [switched([0, null]), switched([0, null], [1, 600])]) {
      expect(released(license, certified, seconds(2))).toBeNull();
      expect(endOfCertificates(license, certified, seconds(2))).toBeNull();
    }
  });

  it('that end later than the machine knows are certified with that end', () => {
    const license = switched([0, 1000]);
    const machine = extended(license, bound(), { machineId: 'a' }, true, seconds(1));
    expect(machine).toMatchObject({ isCertified: true, leaseEndsAt: seconds(1000) });
    expect(released(license, machine, seconds(2))).toMatchObject({ isReleased: true });
  });
});
