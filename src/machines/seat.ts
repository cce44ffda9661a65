import type { License } from '../licenses/license.js';
import type { AccountId } from '../shared/ids.js';
import { addDays, startOfDay } from '../shared/time/calendar.js';
import { NOT_STORED } from '../storage/collection.js';
import type { Filter } from '../storage/filter.js';
import { type Caller, type Machine, nameFields, recordId } from './machine.js';

/** How long an expired lease is remembered, in days. */
const REMEMBERED_DAYS = 30;
/** The minimum fraction of a lease by which a heartbeat moves its end. */
const LEAST_MOVE = 0.05;

/** The fields of a license that determine how long its machines hold their seats. */
export type Leases = Pick<License, 'leaseSeconds' | 'unleasedAt' | 'leasedUntil'>;

/** A license with a seat group: `seatsOf` is not null. */
type Seats = Leases & Pick<License, 'user' | 'seatsOf'>;

/** Whether another machine gets the rejection that the specification defines for licenses for one machine. */
export const isSingleMachine = ({
  maxMachines,
  leaseSeconds,
}: Pick<License, 'maxMachines' | 'leaseSeconds'>): boolean =>
  maxMachines === 1 && leaseSeconds === null;

/**
 * When a machine's lease expires; null if it holds its seat until released. Changing `leaseSeconds` does
 * not update machines. Instead, leases that had expired by `unleasedAt` stay expired, and no lease expires
 * before `leasedUntil`.
 */
export function leaseEndOf(
  { leaseSeconds, unleasedAt, leasedUntil }: Leases,
  { leaseEndsAt: end, isReleased }: Pick<Machine, 'leaseEndsAt' | 'isReleased'>,
): Date | null {
  if (isReleased || (end && unleasedAt && end <= unleasedAt)) return end;
  if (leaseSeconds === null) return null;
  return end && leasedUntil ? latest(end, leasedUntil) : (end ?? leasedUntil);
}

/** A machine as shown in responses, with its actual lease end. */
export const withLeaseEnd = (leases: Leases, machine: Machine): Machine => ({
  ...machine,
  leaseEndsAt: leaseEndOf(leases, machine),
});

/** Whether the seat of a machine is free, because its lease, or the certificate it had when released, has expired. */
export function isSeatFree(leases: Leases, machine: Machine, now: Date): boolean {
  const end = leaseEndOf(leases, machine);
  return end !== null && end <= now;
}

/** Whether a machine holds a seat; null means it has no record. */
export const holdsSeat = (leases: Leases, machine: Machine | null, now: Date): machine is Machine =>
  machine !== null && !machine.isReleased && !isSeatFree(leases, machine, now);

/** Whether a machine held a seat until its lease expired, at most 30 days ago. */
export const hasEndedLease = (leases: Leases, machine: Machine | null, now: Date): boolean =>
  machine !== null &&
  !machine.isReleased &&
  isSeatFree(leases, machine, now) &&
  !isForgotten(leases, machine, now);

/** Whether the expired lease of a machine is too old to matter. */
export function isForgotten(leases: Leases, machine: Machine, now: Date): boolean {
  const end = leaseEndOf(leases, machine);
  return end !== null && end <= forgottenAt(now);
}

const forgottenAt = (now: Date): Date => addDays(now, -REMEMBERED_DAYS);

/** Selects an account's machines that can be removed. */
export const forgettableMachines = (user: AccountId, now: Date): Filter<Machine> => ({
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

/** Whether a license has, or had, leases; otherwise every record is a held seat. */
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
export function newMachine(
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
    ...nameFields(name ?? null),
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
 * A machine that renews its lease, or retakes the seat of its existing record; the same object if the
 * change is too small.
 *
 * @param isCertified whether a certificate that expires with the lease is issued
 */
export function renewed(
  leases: Leases,
  before: Machine,
  { name = before.name ?? undefined }: Caller,
  isCertified: boolean,
  now: Date,
): Machine {
  const lease = leaseFrom(leases, now);
  const certificates = lastCertificateEnd(leases, before, now);
  const isHeld = holdsSeat(leases, before, now);
  const changed = {
    ...before,
    ...nameFields(name ?? null),
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

  /** The end can move back if the lease was shortened, but not to before a certificate expires. */
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

/** A machine with a certificate for offline activation, which keeps its seat until the certificate expires. */
export function withCertificateUntil(leases: Leases, machine: Machine, end: Date): Machine {
  const certificateEndsAt = latest(end, machine.certificateEndsAt);
  const leaseEndsAt = latest(certificateEndsAt, leaseEndOf(leases, machine));
  return { ...machine, certificateEndsAt, leaseEndsAt };
}

/**
 * The record of a machine after its release. The seat stays taken while a certificate of its lease is
 * valid. Null if the seat is free.
 */
export function released(leases: Leases, machine: Machine, now: Date): Machine | null {
  const { certificateEndsAt } = machine;
  const isForgone = certificateEndsAt !== null && certificateEndsAt > now;
  return isForgone || !isCertifiedBy(leases, machine, now)
    ? null
    : { ...machine, isReleased: true };
}

/** When the machine's last known certificate expires; null if it has none. */
export function lastCertificateEnd(leases: Leases, machine: Machine, now: Date): Date | null {
  const { leaseEndsAt, certificateEndsAt } = machine;
  const offline = certificateEndsAt && certificateEndsAt > now ? certificateEndsAt : null;
  return isCertifiedBy(leases, machine, now) ? latest(leaseEndsAt!, offline) : offline;
}

/** Whether a certificate is valid until the lease ends. Later changes to the license are not certified. */
const isCertifiedBy = (leases: Leases, machine: Machine, now: Date): boolean =>
  machine.isCertified &&
  machine.leaseEndsAt !== null &&
  machine.leaseEndsAt > now &&
  leaseEndOf(leases, machine) === machine.leaseEndsAt;

/** A license with leases set or removed. Expired leases stay expired; the others get a full lease from now, or become permanent. */
export function withLease<L extends Leases>(license: L, leaseSeconds: number | null, now: Date): L {
  const changed = { ...license, leaseSeconds };
  if ((leaseSeconds === null) === (license.leaseSeconds === null)) return changed;
  if (leaseSeconds !== null) return { ...changed, leasedUntil: leaseFrom(changed, now) };
  // If nothing has expired since leases were set, the earlier expired leases still apply.
  const hasEndedSince = !(license.leasedUntil && license.leasedUntil > now);
  return hasEndedSince ? { ...changed, unleasedAt: now } : changed;
}

const leaseFrom = ({ leaseSeconds }: Pick<Leases, 'leaseSeconds'>, now: Date): Date | null =>
  leaseSeconds === null ? null : new Date(now.getTime() + leaseSeconds * 1000);

export const latest = (end: Date, other: Date | null): Date => (other && other > end ? other : end);
