import { Injectable } from '@nestjs/common';
import { type License, LICENSES } from '../licenses/license.js';
import { PLANS } from '../plans/plan.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { EstimatedQuota } from '../shared/quotas/estimated-quota.js';
import { addDays } from '../shared/time/calendar.js';
import {
  type Change,
  increment,
  insert,
  MAX_BATCH_SIZE,
  remove,
  replace,
} from '../storage/changes.js';
import { NOT_STORED } from '../storage/collection.js';
import { Store } from '../storage/store.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { type Caller, type Machine, MACHINES } from './machine.js';
import { Machines } from './machines.service.js';
import {
  extended,
  holdsSeat,
  isForgotten,
  isOfOneMachine,
  leaseEndOf,
  mayBeForgotten,
  released,
  seated,
} from './seat.js';
import { TRIAL_DAYS, TRIALS } from './trial.js';

/** Most forgotten machines that a machine which takes a seat removes. */
const MAX_FORGOTTEN = 2;
const SOONEST_FIRST = { by: 'leaseEndsAt', direction: 'asc' } as const;

/** A machine that calls for a license. */
interface Arrival {
  readonly license: License;
  readonly caller: Caller;
  /** Its record; null without one. */
  readonly machine: Machine | null;
}

interface SeatRequest {
  readonly fingerprint?: string | null | undefined;
  /** Whether a certificate is issued that ends with the lease. */
  readonly isCertified: boolean;
  /** Whether no other machine takes a seat of this license now: otherwise it takes none from another machine. */
  readonly isAlone: boolean;
}

/** What a commit changes besides the license, if a machine takes a seat or gives it up. */
export interface SeatChange {
  /** What the commit adds to `seats` of the license. */
  readonly added: number;
  readonly changes: readonly Change[];
}

/** The seat of a machine, whose record the commit stores ({@link storing}) besides the changes. */
export interface Seat extends SeatChange {
  readonly before: Machine | null;
  readonly machine: Machine;
  /** Whether the machine held it before. */
  readonly wasHeld: boolean;
  /** Whether it is a new one, or one that the machine has released: neither if its lease had ended. */
  readonly isTaken: boolean;
}

/**
 * Why a machine gets no seat: all are taken, it has activated another license of a plan that each machine may use once, or one is free
 * that others may be after, too.
 */
export type NoSeat = 'other_machine' | 'machine_limit' | 'trial_used' | 'contended';

/** Decides who gets the seats of a license. The store ensures that no commit passes their number. */
@Injectable()
export class Seats {
  /** Estimated: a counter would be one record that all activations of an account change. */
  private readonly quota: EstimatedQuota;

  constructor(
    private readonly store: Store,
    private readonly machines: Machines,
    private readonly machineIds: MachineIdProvider,
    { quotas }: Config,
  ) {
    this.quota = new EstimatedQuota(quotas.machines, 'MACHINE_QUOTA_REACHED');
  }

  /**
   * Gives a machine a seat: the one that its record stands for, or a free one. If there are as many records as seats, it takes the seat
   * of one whose lease has ended.
   *
   * @throws DomainError MACHINE_QUOTA_REACHED
   */
  async take(
    { license, caller, machine: own }: Arrival,
    { fingerprint, isCertified, isAlone }: SeatRequest,
    now: Date,
  ): Promise<Seat | NoSeat> {
    if (own) {
      const machine = extended(license, own, caller, isCertified, now);
      const wasHeld = holdsSeat(license, own, now);
      return { before: own, machine, wasHeld, isTaken: own.isReleased, added: 0, changes: [] };
    }
    const hasFree = license.seats < license.maxMachines;
    const ended = hasFree ? undefined : (await this.machines.ended(license, now, 1))[0];
    if (!hasFree && !ended) return isOfOneMachine(license) ? 'other_machine' : 'machine_limit';
    if (ended && !isAlone) return 'contended';
    if (hasFree) {
      const { user } = license;
      const count = (atMost: number) => this.store.count(MACHINES, { user }, atMost);
      await this.quota.requireRoom(user, count);
    }
    const trial = await this.trialOf(license, fingerprint ?? undefined, now);
    if (!trial) return 'trial_used';
    const forgotten = await this.forgotten(license, now, ended);
    return {
      before: null,
      machine: seated(license, caller, isCertified, now),
      wasHeld: false,
      isTaken: true,
      added: (ended ? 0 : 1) - forgotten.freed,
      changes: [...(ended ? [remove(MACHINES, ended)] : []), ...forgotten.changes, ...trial],
    };
  }

  /** When the first seat of a floating license becomes free if nobody extends a lease; null without leases. */
  async nextLeaseEnd(license: License): Promise<Date | null> {
    if (license.leaseSeconds === null) return null;
    const { user, seatsOf } = license;
    const soonest = [false, true].map((isReleased) => {
      const filter = { user, license: seatsOf!, isReleased };
      return this.store.list(MACHINES, filter, SOONEST_FIRST, { limit: 1 });
    });
    const ends = (await Promise.all(soonest)).flat().map((one) => leaseEndOf(license, one)!);
    return ends.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
  }

  /** Gives up the seat of a machine. It stays taken while a certificate of its lease is valid. */
  release(license: License, machine: Machine, now: Date): SeatChange {
    const kept = released(license, machine, now);
    return kept
      ? { added: 0, changes: [replace(MACHINES, machine, kept)] }
      : { added: -1, changes: [remove(MACHINES, machine)] };
  }

  /**
   * Frees the seats of machines whose lease has ended until a license has no more than so many, in steps.
   *
   * @returns the removals of a step, and whether it is the last one
   * @throws DomainError MACHINES_IN_USE if more machines than that use the license
   */
  async lower(license: License, maxMachines: number, now: Date) {
    const surplus = license.seats - maxMachines;
    if (surplus <= 0) return { removed: [], isLast: true };
    if ((await this.machines.countEnded(license, now, surplus)) < surplus) {
      throw new DomainError('MACHINES_IN_USE');
    }
    const ended = await this.machines.ended(license, now, Math.min(surplus, MAX_BATCH_SIZE));
    const removed = ended.map((machine) => remove(MACHINES, machine));
    return { removed, isLast: removed.length === surplus };
  }

  /** The changes of a step that removes some machines of licenses of an account; none if there are none left. */
  async emptying(licenses: readonly License[], most: number): Promise<Change[]> {
    const owners = new Map(
      licenses.flatMap((one) => (one.seats > 0 ? [[one.seatsOf!, one] as const] : [])),
    );
    const [first] = owners.values();
    if (!first) return [];
    const { user } = first;
    const ofEach = Math.floor(most / owners.size);
    const groups = [...owners.keys()];
    const found = await this.store.newestOf(MACHINES, { user }, 'license', groups, ofEach);
    const freed = found.map(({ license }) => owners.get(license)!._id);
    return [...found.map((machine) => remove(MACHINES, machine)), ...subtracting(freed)];
  }

  /** Notes that a machine uses a plan that each machine may use once; null if it has activated another license of the plan. */
  private async trialOf(
    license: License,
    fingerprint: string | undefined,
    now: Date,
  ): Promise<Change[] | null> {
    if (license.plan === null) return [];
    const plan = await this.store.find(PLANS, { _id: license.plan });
    if (!plan?.oncePerMachine) return [];
    const _id = this.machineIds.machineIdFor(plan._id, fingerprint);
    const before = await this.store.find(TRIALS, { _id });
    const original = license.original ?? license._id;
    if (before && before.expiresAt > now && before.license !== original) return null;
    const expiresAt = addDays(now, TRIAL_DAYS);
    const trial = {
      _id,
      version: NOT_STORED,
      accountId: license.user,
      license: original,
      expiresAt,
    };
    return [before ? replace(TRIALS, before, trial) : insert(TRIALS, trial)];
  }

  /**
   * Removes some machines of the account, of any license, that have ended long ago, so that nothing is left of licenses that nobody
   * uses. A machine that holds its seat although its stored end is long past gets the end that it has.
   *
   * @param ended a machine that is removed anyway
   */
  private async forgotten(license: License, now: Date, ended: Machine | undefined) {
    const filter = mayBeForgotten(license.user, now);
    const slice = { limit: MAX_FORGOTTEN };
    const found = await this.store.list(MACHINES, filter, SOONEST_FIRST, slice);
    const changes: Change[] = [];
    const freed: string[] = [];
    for (const machine of found) {
      if (machine._id === ended?._id) continue;
      const { license: seatsOf } = machine;
      const owner =
        seatsOf === license.seatsOf ? license : await this.store.find(LICENSES, { seatsOf });
      if (!owner || isForgotten(owner, machine, now)) {
        changes.push(remove(MACHINES, machine));
        if (owner) freed.push(owner._id);
      } else {
        const leaseEndsAt = leaseEndOf(owner, machine);
        changes.push(replace(MACHINES, machine, { ...machine, leaseEndsAt, isCertified: false }));
      }
    }
    const ofOthers = freed.filter((_id) => _id !== license._id);
    return {
      changes: [...changes, ...subtracting(ofOthers)],
      freed: freed.length - ofOthers.length,
    };
  }
}

/** The changes that store a machine. */
export function storing(before: Machine | null, machine: Machine): Change[] {
  if (!before) return [insert(MACHINES, machine)];
  return machine === before ? [] : [replace(MACHINES, before, machine)];
}

/**
 * The change of a license that counts its seats. A commit that adds or moves a seat fails if the license has become full, may no longer
 * be used, or has other leases: a machine may hold its seat again that had lost it.
 */
export function countSeats(license: License, added: number): Change {
  const { _id, status, maxMachines, leaseSeconds, unleasedAt, leasedUntil } = license;
  const atMost = added > 0 ? { seats: maxMachines } : {};
  const where = { status, maxMachines, leaseSeconds, unleasedAt, leasedUntil };
  return increment(LICENSES, _id, { seats: added }, { atMost, where });
}

/** Frees a seat of a license for each time that its id is given. */
const subtracting = (ids: readonly string[]): Change[] =>
  [...new Set(ids)].map((_id) =>
    increment(LICENSES, _id, { seats: -ids.filter((one) => one === _id).length }),
  );
