import type { License } from '../licenses/license.js';
import type { AccountId } from '../shared/ids.js';
import { addDays, startOfDay } from '../shared/time/calendar.js';
import { NOT_STORED } from '../storage/collection.js';
import type { Filter } from '../storage/filter.js';
import { type Caller, type Machine, named, recordId } from './machine.js';

/** Days for which an ended lease is remembered. */
const REMEMBERED_DAYS = 30;
/** Share of a lease by which a heartbeat moves its end at least. */
const LEAST_MOVE = 0.05;

/** What says until when the machines of a license hold their seats. */
export type Leases = Pick<License, 'leaseSeconds' | 'unleasedAt' | 'leasedUntil'>;

/** A license whose seats are in a group: `seatsOf` is not null. */
type Seats = Leases & Pick<License, 'user' | 'seatsOf'>;

/** Whether another machine is rejected as the specification has it: it knows no number of machines. */
export const isOfOneMachine = ({
  maxMachines,
  leaseSeconds,
}: Pick<License, 'maxMachines' | 'leaseSeconds'>): boolean =>
  maxMachines === 1 && leaseSeconds === null;

/**
 * The end of a machine's lease; null if it holds its seat until it is released. A change of `leaseSeconds` writes no machine: what had
 * ended by `unleasedAt` has ended, and since `leasedUntil` was set, no lease ends before it.
 */
export function leaseEndOf(
  { leaseSeconds, unleasedAt, leasedUntil }: Leases,
  { leaseEndsAt: end, isReleased }: Pick<Machine, 'leaseEndsAt' | 'isReleased'>,
): Date | null {
  if (isReleased || (end && unleasedAt && end <= unleasedAt)) return end;
  if (leaseSeconds === null) return null;
  return end && leasedUntil ? latest(end, leasedUntil) : (end ?? leasedUntil);
}

/** A machine as it is shown: with the end that its lease has. */
export const withLeaseEnd = (leases: Leases, machine: Machine): Machine => ({
  ...machine,
  leaseEndsAt: leaseEndOf(leases, machine),
});

/** Whether the seat of a machine is free: its lease has ended, or the certificate has that it had when it was released. */
export function hasEnded(leases: Leases, machine: Machine, now: Date): boolean {
  const end = leaseEndOf(leases, machine);
  return end !== null && end <= now;
}

/** Whether a machine holds a seat; null stands for one without a record. */
export const holdsSeat = (leases: Leases, machine: Machine | null, now: Date): machine is Machine =>
  machine !== null && !machine.isReleased && !hasEnded(leases, machine, now);

/** Whether a machine held a seat until its lease ended, at most 30 days ago. */
export const hasEndedLease = (leases: Leases, machine: Machine | null, now: Date): boolean =>
  machine !== null &&
  !machine.isReleased &&
  hasEnded(leases, machine, now) &&
  !isForgotten(leases, machine, now);

/** Whether nobody needs to know any more of a machine that its lease has ended. */
export function isForgotten(leases: Leases, machine: Machine, now: Date): boolean {
  const end = leaseEndOf(leases, machine);
  return end !== null && end <= forgottenAt(now);
}

const forgottenAt = (now: Date): Date => addDays(now, -REMEMBERED_DAYS);

/** Machines of an account that may be forgotten. */
export const mayBeForgotten = (user: AccountId, now: Date): Filter<Machine> => ({
  user,
  leaseEndsAt: until(forgottenAt(now)),
});

/** Machines whose seats are free. Each filter is a range of one index. */
export function endedMachines(seats: Seats, now: Date): Filter<Machine>[] {
  const released = { ...ofGroup(seats), isReleased: true, leaseEndsAt: until(now) };
  return mayHaveEnded(seats) ? [released, ...endedLeases(seats, now)] : [];
}

/** Machines that hold a seat. */
export function machinesWithSeat(seats: Seats, now: Date): Filter<Machine> {
  const { leaseSeconds, unleasedAt, leasedUntil } = seats;
  const held = { ...ofGroup(seats), isReleased: false };
  if (leaseSeconds !== null && !(leasedUntil && leasedUntil > now)) {
    return { ...held, leaseEndsAt: after(now) };
  }
  return unleasedAt
    ? { ...held, or: [{ leaseEndsAt: null }, { leaseEndsAt: after(unleasedAt) }] }
    : held;
}

/** Whether a license has, or had, leases: without them every record is a seat that is held. */
export const mayHaveEnded = ({ leaseSeconds, unleasedAt, leasedUntil }: Leases): boolean =>
  leaseSeconds !== null || unleasedAt !== null || leasedUntil !== null;

function endedLeases(seats: Seats, now: Date): Filter<Machine>[] {
  const { leaseSeconds, unleasedAt, leasedUntil } = seats;
  const held = { ...ofGroup(seats), isReleased: false };
  if (leaseSeconds === null || (leasedUntil && leasedUntil > now)) {
    return unleasedAt ? [{ ...held, leaseEndsAt: until(unleasedAt) }] : [];
  }
  const ended = { ...held, leaseEndsAt: until(now) };
  return leasedUntil ? [ended, { ...held, leaseEndsAt: null }] : [ended];
}

const ofGroup = ({ user, seatsOf }: Seats) => ({ user, license: seatsOf! });
const justAfter = (time: Date) => new Date(time.getTime() + 1);
const until = (time: Date) => ({ before: justAfter(time) });
const after = (time: Date) => ({ from: justAfter(time) });

/** A machine that takes a seat now. */
export function seated(
  seats: Seats,
  { machineId, name }: Caller,
  isCertified: boolean,
  now: Date,
): Machine {
  const { user, license } = ofGroup(seats);
  return {
    _id: recordId(license, machineId),
    version: NOT_STORED,
    license,
    user,
    machineId,
    ...named(name ?? null),
    createdAt: now,
    activatedAt: now,
    lastSeenAt: startOfDay(now),
    leaseEndsAt: leaseFrom(seats, now),
    isCertified: isCertified && seats.leaseSeconds !== null,
    certificateEndsAt: null,
    isReleased: false,
  };
}

/**
 * A machine that keeps its seat for another lease, or takes the seat again that its record still stands for; the same one if that
 * changes little.
 *
 * @param isCertified whether a certificate is issued that ends with the lease
 */
export function extended(
  leases: Leases,
  before: Machine,
  { name = before.name ?? undefined }: Caller,
  isCertified: boolean,
  now: Date,
): Machine {
  const lease = leaseFrom(leases, now);
  const certificates = endOfCertificates(leases, before, now);
  const isHeld = holdsSeat(leases, before, now);
  const changed = {
    ...before,
    ...named(name ?? null),
    isReleased: false,
    isCertified: lease !== null && (isCertified || isCertifiedBy(leases, before, now)),
    ...(isHeld
      ? { leaseEndsAt: movedEnd() }
      : { leaseEndsAt: lease && latest(lease, certificates), activatedAt: now }),
  };
  const isSame =
    isHeld &&
    changed.name === before.name &&
    changed.leaseEndsAt === before.leaseEndsAt &&
    changed.isCertified === before.isCertified;
  return isSame ? before : { ...changed, lastSeenAt: startOfDay(now) };

  /** It may move back if the lease has become shorter, but not before the end of a certificate. */
  function movedEnd(): Date | null {
    if (lease === null) return before.leaseEndsAt;
    const end = leaseEndOf(leases, before)!;
    const next = latest(lease, certificates);
    const isSmall =
      Math.abs(next.getTime() - end.getTime()) < LEAST_MOVE * leases.leaseSeconds! * 1000;
    if (!isSmall) return next;
    return isCertified ? end : before.leaseEndsAt;
  }
}

/** A machine with a certificate for offline activation, which keeps its seat until the certificate ends. */
export function withCertificateUntil(leases: Leases, machine: Machine, end: Date): Machine {
  const certificateEndsAt = latest(end, machine.certificateEndsAt);
  const leaseEndsAt = latest(certificateEndsAt, leaseEndOf(leases, machine));
  return { ...machine, certificateEndsAt, leaseEndsAt };
}

/**
 * What is stored of a machine that has given up its seat: the seat stays taken while a certificate of its lease is valid. Null if
 * the seat is free.
 */
export function released(leases: Leases, machine: Machine, now: Date): Machine | null {
  const { certificateEndsAt } = machine;
  const isForgone = certificateEndsAt !== null && certificateEndsAt > now;
  return isForgone || !isCertifiedBy(leases, machine, now)
    ? null
    : { ...machine, isReleased: true };
}

/** The end of the certificates that a machine has, as far as the service knows it; null without one. */
export function endOfCertificates(leases: Leases, machine: Machine, now: Date): Date | null {
  const { leaseEndsAt, certificateEndsAt } = machine;
  const offline = certificateEndsAt && certificateEndsAt > now ? certificateEndsAt : null;
  return isCertifiedBy(leases, machine, now) ? latest(leaseEndsAt!, offline) : offline;
}

/** Whether a certificate is valid until the end of the machine's lease; what the license has changed since is not certified. */
const isCertifiedBy = (leases: Leases, machine: Machine, now: Date): boolean =>
  machine.isCertified &&
  machine.leaseEndsAt !== null &&
  machine.leaseEndsAt > now &&
  leaseEndOf(leases, machine) === machine.leaseEndsAt;

/** A license whose leases are set. What has ended stays ended; from now on, the others have a whole lease, or none that ends. */
export function withLease<L extends Leases>(license: L, leaseSeconds: number | null, now: Date): L {
  const changed = { ...license, leaseSeconds };
  if ((leaseSeconds === null) === (license.leaseSeconds === null)) return changed;
  if (leaseSeconds !== null) return { ...changed, leasedUntil: leaseFrom(changed, now) };
  // While nothing has ended since leases were set, what had ended before has.
  const hasEndedSince = !(license.leasedUntil && license.leasedUntil > now);
  return hasEndedSince ? { ...changed, unleasedAt: now } : changed;
}

const leaseFrom = ({ leaseSeconds }: Pick<Leases, 'leaseSeconds'>, now: Date): Date | null =>
  leaseSeconds === null ? null : new Date(now.getTime() + leaseSeconds * 1000);

export const latest = (end: Date, other: Date | null): Date => (other && other > end ? other : end);
