import { aMachine } from '../../test/builders.js';
import { addDays, startOfDay } from '../shared/time/days.js';
import {
  endOfCertificates,
  hasRoomFor,
  type Machine,
  machinesInUse,
  type Places,
  placeOf,
  placesTaken,
  withCertificateUntil,
  withHeartbeat,
  withLease,
  withMachine,
  withoutMachine,
} from './machine.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const seconds = (count: number) => new Date(NOW.getTime() + count * 1000);

const places = (machines: Machine[], maxMachines = 3): Places => ({
  machines,
  maxMachines,
  leaseSeconds: 1000,
});
const leased = (machineId: string, ends: number, fields: Partial<Machine> = {}) =>
  aMachine(machineId, { leaseEndsAt: seconds(ends), ...fields });
const idsOf = ({ machines }: Places) => machines.map(({ machineId }) => machineId);

describe('a place', () => {
  it('is taken until its lease ends, and has no end without one', () => {
    const license = places([leased('a', 0), leased('b', 1), aMachine('c')]);
    expect(machinesInUse(license, NOW).map(({ machineId }) => machineId)).toEqual(['b', 'c']);
    expect(placesTaken(license, NOW)).toBe(2);
    expect(placeOf(license, 'a', NOW)).toBeUndefined();
    expect(placeOf(license, 'b', NOW)).toBe(license.machines[1]);
  });

  it('that is released and waits for a certificate is taken, but used by nobody', () => {
    const license = places([leased('a', 1, { isReleased: true })], 1);
    expect(machinesInUse(license, NOW)).toEqual([]);
    expect(placesTaken(license, NOW)).toBe(1);
    expect(hasRoomFor(license, 'b', NOW)).toBe(false);
    expect(hasRoomFor(license, 'a', NOW)).toBe(true);
  });

  it('begins with a lease from now on, and the machine as the last one', () => {
    const license = withMachine(places([aMachine('a')]), { machineId: 'b', name: 'desk' }, NOW);
    const since = { activatedAt: NOW, lastSeenAt: startOfDay(NOW) };
    expect(license.machines).toEqual([
      aMachine('a'),
      leased('b', 1000, { name: 'desk', ...since }),
    ]);
  });

  it('that its machine takes again keeps its name, and what its certificates hold', () => {
    const own = leased('a', 2000, { name: 'desk', isCertified: true, isReleased: true });
    expect(withMachine(places([own]), { machineId: 'a' }, NOW).machines).toMatchObject([
      { name: 'desk', leaseEndsAt: seconds(2000), isCertified: true, isReleased: false },
    ]);
    const ended = leased('a', 0, { isCertified: true });
    expect(withMachine(places([ended]), { machineId: 'a' }, NOW).machines).toMatchObject([
      { leaseEndsAt: seconds(1000), isCertified: false },
    ]);
  });
});

describe('an ended lease', () => {
  const take = (machines: Machine[], most: number) =>
    idsOf(withMachine(places(machines, most), { machineId: 'new' }, NOW));

  it('is remembered until its place is needed: that which ended first goes first', () => {
    const machines = [leased('a', -5), leased('b', -9), leased('c', 5)];
    expect(take(machines, 4)).toEqual(['a', 'b', 'c', 'new']);
    expect(take(machines, 3)).toEqual(['a', 'c', 'new']);
    expect(take(machines, 2)).toEqual(['c', 'new']);
  });

  it('is remembered for 30 days at most, and not where it was released', () => {
    const month = addDays(NOW, -30);
    const machines = [
      aMachine('a', { leaseEndsAt: month }),
      aMachine('b', { leaseEndsAt: new Date(month.getTime() + 1) }),
      leased('c', -1, { isReleased: true }),
    ];
    expect(take(machines, 9)).toEqual(['b', 'new']);
  });
});

describe('a heartbeat', () => {
  const beat = (machine: Machine, isCertified = false, name?: string) =>
    withHeartbeat(places([machine]), { machineId: 'a', name }, isCertified, NOW).machines[0];

  it.each([
    [950, 1000],
    [951, 951],
    [1049, 1049],
    [2000, 1000],
  ])('moves the end of a lease in %i s of 1,000 to %i s', (left, end) => {
    expect(beat(leased('a', left))).toMatchObject({ leaseEndsAt: seconds(end) });
  });

  it('keeps a later end as long as a certificate is valid', () => {
    const end = { leaseEndsAt: seconds(2000) };
    expect(beat(leased('a', 2000, { isCertified: true }))).toMatchObject(end);
    expect(beat(leased('a', 2000, { certificateEndsAt: seconds(2000) }))).toMatchObject(end);
  });

  it('that would move the end little changes nothing, unless a certificate or another name comes with it', () => {
    const license = places([leased('a', 960, { name: 'desk' })]);
    const caller = { machineId: 'a', name: 'desk' };
    expect(withHeartbeat(license, caller, false, NOW)).toBe(license);
    expect(beat(leased('a', 960), true)).toMatchObject({ isCertified: true });
    expect(beat(leased('a', 960), false, 'sofa')).toMatchObject({ name: 'sofa' });
    expect(beat(leased('a', 100, { isCertified: true }))).toMatchObject({ isCertified: true });
  });

  it('changes nothing for a machine without a place, and marks no place without a lease', () => {
    const license = places([leased('a', 0)]);
    expect(withHeartbeat(license, { machineId: 'a' }, true, NOW)).toBe(license);
    const bound = { ...places([aMachine('a')]), leaseSeconds: null };
    expect(withHeartbeat(bound, { machineId: 'a' }, true, NOW)).toBe(bound);
  });
});

describe('a release', () => {
  const release = (machine: Machine) => withoutMachine(places([machine]), machine, NOW).machines;

  it('frees the place at once, unless its machine has a certificate that ends with its lease', () => {
    expect(release(leased('a', 5))).toEqual([]);
    expect(release(aMachine('a'))).toEqual([]);
    const certified = leased('a', 5, { isCertified: true });
    expect(release(certified)).toEqual([{ ...certified, isReleased: true }]);
    // The vendor knows of the certificate of a machine without a network.
    expect(release({ ...certified, certificateEndsAt: seconds(5) })).toEqual([]);
  });

  it('says until when certificates are valid that the service knows of', () => {
    const endOf = (machine: Machine) => endOfCertificates(machine, NOW);
    expect(endOf(leased('a', 5))).toBeNull();
    expect(endOf(leased('a', 5, { isCertified: true }))).toEqual(seconds(5));
    expect(endOf(aMachine('a', { certificateEndsAt: seconds(9) }))).toEqual(seconds(9));
    expect(endOf(aMachine('a', { certificateEndsAt: NOW }))).toBeNull();
  });
});

it('a certificate for a machine without a network holds the place until it ends', () => {
  const held = (machine: Machine) =>
    withCertificateUntil(places([machine]), machine, seconds(99)).machines[0];
  const until = (end: number) => ({ leaseEndsAt: seconds(end), certificateEndsAt: seconds(end) });
  expect(held(leased('a', 5))).toMatchObject(until(99));
  expect(held(leased('a', 100, until(100)))).toMatchObject(until(100));
  expect(held(aMachine('a'))).toMatchObject({ ...until(99), leaseEndsAt: null });
});

describe('the leases of a license', () => {
  const ends = (license: Places) =>
    license.machines.map(({ machineId, leaseEndsAt }) => [machineId, leaseEndsAt]);

  it('begin now where it had none, and last as long as the certificate of a machine without a network', () => {
    const license = places([aMachine('a'), aMachine('b', { certificateEndsAt: seconds(5000) })]);
    expect(ends(withLease({ ...license, leaseSeconds: null }, 600, NOW))).toEqual([
      ['a', seconds(600)],
      ['b', seconds(5000)],
    ]);
  });

  it('of another length apply from the next heartbeat on', () => {
    const license = places([leased('a', 5)]);
    expect(withLease(license, 600, NOW)).toEqual({ ...license, leaseSeconds: 600 });
  });

  it('keep the places whose lease has not ended where there are none from now on', () => {
    const license = places([leased('a', 0), leased('b', 1), leased('c', 1, { isReleased: true })]);
    expect(ends(withLease(license, null, NOW))).toEqual([
      ['b', null],
      ['c', seconds(1)],
    ]);
  });
});
