import { addDays, startOfDay } from '../shared/time/days.js';

export const MAX_MACHINES = 1_000;

/** Range of the seconds for which a machine keeps a place of a floating license after each heartbeat. */
export const MIN_LEASE = 300;
export const MAX_LEASE = 86_400;

/** Days for which an ended lease is remembered. */
const REMEMBERED_DAYS = 30;
/** Share of a lease by which its end moves at least. */
const LEAST_MOVE = 0.05;

/** A place of a license that a machine has, or had until its lease ended. */
export interface Machine {
  /** Keyed hash of the machine. */
  readonly machineId: string;
  readonly name: string | null;
  readonly activatedAt: Date;
  /** The beginning (UTC) of the day on which it was seen last. */
  readonly lastSeenAt: Date;
  /** Null for a place that is kept until it is released. */
  readonly leaseEndsAt: Date | null;
  /** Whether a certificate that ends with the lease was issued: then the place stays taken until that, also once it is released. */
  readonly isCertified: boolean;
  /** The end of its certificate for a machine without a network; null without one. */
  readonly certificateEndsAt: Date | null;
  readonly isReleased: boolean;
}

/** A machine as it calls. */
export interface Caller {
  readonly machineId: string;
  /** As it names itself. */
  readonly name?: string | undefined;
}

/** The part of a license that its machines depend on. */
export interface Places {
  readonly machines: readonly Machine[];
  readonly maxMachines: number;
  readonly leaseSeconds: number | null;
}

const hasEnded = ({ leaseEndsAt }: Machine, now: Date) =>
  leaseEndsAt !== null && leaseEndsAt <= now;

/** The machines that use a license now, in the order in which they were bound. */
export const machinesInUse = ({ machines }: Pick<Places, 'machines'>, now: Date): Machine[] =>
  machines.filter((machine) => !machine.isReleased && !hasEnded(machine, now));

/** The place that a machine has now. */
export const placeOf = (
  license: Pick<Places, 'machines'>,
  machineId: string,
  now: Date,
): Machine | undefined => {
  const own = license.machines.find((machine) => machine.machineId === machineId);
  return own && !own.isReleased && !hasEnded(own, now) ? own : undefined;
};

/** Whether a machine had a place until its lease ended, as far as that is remembered. */
export const hasEndedLease = ({ machines }: Places, machineId: string, now: Date): boolean =>
  machines.some(
    (machine) =>
      machine.machineId === machineId && hasEnded(machine, now) && !isForgotten(machine, now),
  );

/** Whether an ended lease is of no interest any more. */
const isForgotten = ({ isReleased, leaseEndsAt }: Machine, now: Date): boolean =>
  isReleased || leaseEndsAt! <= addDays(now, -REMEMBERED_DAYS);

/** The places that are taken now, those included that are released and wait for the end of a certificate. */
export const placesTaken = ({ machines }: Places, now: Date): number =>
  machines.filter((machine) => !hasEnded(machine, now)).length;

/** Whether a machine without a place may take one: a free one, or its own, which it has released. */
export const hasRoomFor = (license: Places, machineId: string, now: Date): boolean =>
  placesTaken(without(license, machineId), now) < license.maxMachines;

/** Whether another machine is rejected as the specification has it: it knows no number of machines. */
export const isOfOneMachine = ({ maxMachines, leaseSeconds }: Places): boolean =>
  maxMachines === 1 && leaseSeconds === null;

const without = <P extends Places>(license: P, machineId: string): P => ({
  ...license,
  machines: license.machines.filter((machine) => machine.machineId !== machineId),
});

/** A license in which a machine has taken a place; there must be {@link hasRoomFor | room}. */
export function withMachine<P extends Places>(
  license: P,
  { machineId, name }: Caller,
  now: Date,
): P {
  const before = license.machines.find((machine) => machine.machineId === machineId);
  const leaseEndsAt = leaseFrom(license, now);
  const held = before && !hasEnded(before, now) ? before : undefined;
  const machine: Machine = {
    machineId,
    name: name ?? before?.name ?? null,
    activatedAt: now,
    lastSeenAt: startOfDay(now),
    leaseEndsAt: leaseEndsAt && latest(leaseEndsAt, held?.leaseEndsAt ?? null),
    isCertified: held?.isCertified ?? false,
    certificateEndsAt: held?.certificateEndsAt ?? null,
    isReleased: false,
  };
  const others = without(license, machineId).machines;
  return { ...license, machines: remembered([...others, machine], license.maxMachines, now) };
}

/**
 * A license in which a machine that has a place keeps it for another lease; the same one where that changes little.
 *
 * @param isCertified whether a certificate is issued that ends with the lease
 */
export function withHeartbeat<P extends Places>(
  license: P,
  { machineId, name }: Caller,
  isCertified: boolean,
  now: Date,
): P {
  const before = placeOf(license, machineId, now);
  if (!before) return license;
  const changed = {
    ...before,
    name: name ?? before.name,
    leaseEndsAt: movedEnd(before.leaseEndsAt),
    isCertified: before.leaseEndsAt !== null && (before.isCertified || isCertified),
  };
  const isSame =
    changed.name === before.name &&
    changed.leaseEndsAt === before.leaseEndsAt &&
    changed.isCertified === before.isCertified;
  return isSame ? license : withPlace(license, { ...changed, lastSeenAt: startOfDay(now) });

  /** It may move back where the lease has become shorter, but not before the end of a certificate. */
  function movedEnd(end: Date | null): Date | null {
    const lease = leaseFrom(license, now);
    if (!end || !lease) return end;
    const next = latest(lease, endOfCertificates(before!, now));
    const move = Math.abs(next.getTime() - end.getTime());
    return move < LEAST_MOVE * license.leaseSeconds! * 1000 ? end : next;
  }
}

/** A license in which a place has changed. */
export const withPlace = <P extends Places>(license: P, changed: Machine): P => ({
  ...license,
  machines: license.machines.map((machine) =>
    machine.machineId === changed.machineId ? changed : machine,
  ),
});

/** A license whose machines were seen today, UTC; the same one where that is known. */
export function withSeen<P extends Places>(license: P, ids: ReadonlySet<string>, now: Date): P {
  const day = startOfDay(now);
  const isNews = ({ machineId, lastSeenAt }: Machine) => ids.has(machineId) && lastSeenAt < day;
  if (!license.machines.some(isNews)) return license;
  const seen = (machine: Machine) => (isNews(machine) ? { ...machine, lastSeenAt: day } : machine);
  return { ...license, machines: license.machines.map(seen) };
}

/**
 * A license in which a machine for which a certificate was issued, and that has no network, keeps its place until the certificate ends.
 */
export function withCertificateUntil<P extends Places>(license: P, machine: Machine, end: Date): P {
  const certificateEndsAt = latest(end, machine.certificateEndsAt);
  const leaseEndsAt = machine.leaseEndsAt && latest(certificateEndsAt, machine.leaseEndsAt);
  return withPlace(license, { ...machine, certificateEndsAt, leaseEndsAt });
}

/** A license in which a machine has given up its place. It stays taken while a certificate of its lease is valid. */
export function withoutMachine<P extends Places>(license: P, released: Machine, now: Date): P {
  const { leaseEndsAt, isCertified, certificateEndsAt } = released;
  const isForgone = certificateEndsAt !== null && certificateEndsAt > now;
  if (leaseEndsAt === null || !isCertified || isForgone) {
    return without(license, released.machineId);
  }
  return withPlace(license, { ...released, isReleased: true });
}

/** The end of the certificates that a machine has, as far as the service knows it; null without one. */
export const endOfCertificates = (
  { leaseEndsAt, isCertified, certificateEndsAt }: Machine,
  now: Date,
): Date | null => {
  const ends = [isCertified ? leaseEndsAt : null, certificateEndsAt];
  const ahead = ends.flatMap((end) => (end && end > now ? [end.getTime()] : []));
  return ahead.length > 0 ? new Date(Math.max(...ahead)) : null;
};

/**
 * The places of a license whose leases are set: where it had none, they begin now; where it has none from now on, places whose lease has
 * not ended are kept.
 */
export function withLease<P extends Places>(license: P, leaseSeconds: number | null, now: Date): P {
  const changed = { ...license, leaseSeconds };
  if ((leaseSeconds === null) === (license.leaseSeconds === null)) return changed;
  const end = leaseFrom(changed, now);
  const taken = license.machines.filter((machine) => !hasEnded(machine, now));
  const machines = taken.map((machine) =>
    machine.isReleased
      ? machine
      : {
          ...machine,
          leaseEndsAt: end && latest(end, machine.certificateEndsAt),
          isCertified: false,
        },
  );
  return { ...changed, machines };
}

const leaseFrom = ({ leaseSeconds }: Places, now: Date): Date | null =>
  leaseSeconds === null ? null : new Date(now.getTime() + leaseSeconds * 1000);

export const latest = (end: Date, other: Date | null): Date => (other && other > end ? other : end);

/** Forgets ended leases: those of 30 days ago, and the first to end where there are more places than machines. */
function remembered(machines: readonly Machine[], most: number, now: Date): Machine[] {
  const ended = machines.filter((machine) => hasEnded(machine, now));
  const newestFirst = ended.toSorted((a, b) => Number(b.leaseEndsAt) - Number(a.leaseEndsAt));
  const room = Math.max(0, most - (machines.length - ended.length));
  const forgotten = new Set([
    ...newestFirst.slice(room),
    ...ended.filter((machine) => isForgotten(machine, now)),
  ]);
  return machines.filter((machine) => !forgotten.has(machine));
}
