import { Injectable } from '@nestjs/common';
import { type License, LICENSES } from '../licenses/license.js';
import { PLANS } from '../plans/plan.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { EstimatedQuota } from '../shared/quotas/estimated-quota.js';
import { addDays } from '../shared/time/calendar.js';
import { type Change, increment, insert, remove, replace } from '../storage/changes.js';
import { NOT_STORED } from '../storage/collection.js';
import { Store } from '../storage/store.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { type Caller, type Machine, MACHINES } from './machine.js';
import { Machines } from './machines.service.js';
import { isPlaceholder } from './placeholder.js';
import {
  renewed,
  holdsSeat,
  isForgotten,
  isSingleMachine,
  leaseEndOf,
  forgettableMachines,
  released,
  newMachine,
} from './seat.js';
import { TRIAL_DAYS, TRIALS } from './trial.js';

/** Seats with expired leases freed per commit, so that the commits of other accounts wait briefly. */
const FREED = 100;
/** Maximum number of forgotten machines removed when a machine takes a seat. */
const MAX_FORGOTTEN = 2;
const SOONEST_FIRST = { by: 'leaseEndsAt', direction: 'asc' } as const;

/** A machine that sends a request for a license. */
interface MachineRequest {
  readonly license: License;
  readonly caller: Caller;
  /** The machine's record; null if it has none. */
  readonly machine: Machine | null;
}

interface SeatRequest {
  readonly fingerprint?: string | null | undefined;
  /** Whether a certificate that expires with the lease is issued. */
  readonly isCertified: boolean;
  /**
   * Whether no other machine is taking a seat on this license now. If one is, no seat is taken over from another machine.
   */
  readonly isExclusive: boolean;
}

/** The changes besides the license when a machine takes or releases a seat. */
export interface SeatChange {
  /** Added to `seats` of the license. */
  readonly added: number;
  readonly changes: readonly Change[];
}

/** The seat of a machine. The commit stores its record ({@link storeMachine}) in addition to the changes. */
export interface Seat extends SeatChange {
  readonly before: Machine | null;
  readonly machine: Machine;
  /** Whether the machine already held the seat. */
  readonly wasHeld: boolean;
  /** Whether the seat is new or was released by this machine; false if the machine's lease had expired. */
  readonly isTaken: boolean;
}

/** A machine of an imported license. */
export interface ImportedMachine extends Caller {
  /** Undefined for the machine that the service runs on. */
  readonly fingerprint: string | undefined;
  readonly activatedAt: Date | undefined;
}

/**
 * Why a machine gets no seat: all are taken, it has activated another license of a once-per-machine plan, or other machines may
 * be competing for a free seat.
 */
export type SeatRejection = 'other_machine' | 'machine_limit' | 'trial_used' | 'contended';

/** Decides who gets the seats of a license. The store ensures that no commit exceeds their number. */
@Injectable()
export class Seats {
  /** Estimated, because all activations of an account would contend for a counter record. */
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
   * Gives a machine a seat: the seat of its existing record, or a free one. If there are as many records as seats, it takes over a seat
   * whose lease has expired.
   */
  async take(
    { license, caller, machine: own }: MachineRequest,
    { fingerprint, isCertified, isExclusive }: SeatRequest,
    now: Date,
  ): Promise<Seat | SeatRejection> {
    if (own) {
      const machine = renewed(license, own, caller, isCertified, now);
      const wasHeld = holdsSeat(license, own, now);
      return { before: own, machine, wasHeld, isTaken: own.isReleased, added: 0, changes: [] };
    }
    const hasFree = license.seats < license.maxMachines;
    const ended = hasFree ? undefined : (await this.machines.withFreeSeat(license, now, 1))[0];
    if (!hasFree && !ended) return isSingleMachine(license) ? 'other_machine' : 'machine_limit';
    if (ended && !isExclusive) return 'contended';
    if (fingerprint && isPlaceholder(fingerprint)) throw new DomainError('FINGERPRINT_INVALID');
    if (hasFree) {
      await this.requireRoom(license.user);
    }
    const trial = await this.recordTrial(license, fingerprint ?? undefined, now);
    if (!trial) return 'trial_used';
    const forgotten = await this.removeForgotten(license, now, ended);
    return {
      before: null,
      machine: newMachine(license, caller, isCertified, now),
      wasHeld: false,
      isTaken: true,
      added: (ended ? 0 : 1) - forgotten.freed,
      changes: [...(ended ? [remove(MACHINES, ended)] : []), ...forgotten.changes, ...trial],
    };
  }

  /** The changes that give an imported license its machines, each with a seat whose lease starts now. */
  async takeImported(
    license: License,
    machines: readonly ImportedMachine[],
    now: Date,
  ): Promise<Change[]> {
    const { user } = license;
    const changes: Change[] = [];
    for (const { fingerprint, machineId, name, activatedAt = now } of machines) {
      await this.requireRoom(user);
      const machine = { ...newMachine(license, { machineId, name }, false, now), activatedAt };
      const trial = await this.recordTrial(license, fingerprint, now);
      changes.push(insert(MACHINES, machine), ...(trial ?? []));
    }
    return changes;
  }

  /** When the first lease of a floating license expires unless it is extended; null if it has no leases. */
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

  /** Releases the seat of a machine. It stays taken while a certificate of its lease is valid. */
  release(license: License, machine: Machine, now: Date): SeatChange {
    const kept = released(license, machine, now);
    return kept
      ? { added: 0, changes: [replace(MACHINES, machine, kept)] }
      : { added: -1, changes: [remove(MACHINES, machine)] };
  }

  /**
   * Frees seats with expired leases, in steps, until the license has at most `maxMachines`.
   *
   * @returns the removals of one step, and whether it is the last
   * @throws DomainError MACHINES_IN_USE if more machines than that hold a seat
   */
  async freeSurplus(license: License, maxMachines: number, now: Date) {
    const surplus = license.seats - maxMachines;
    if (surplus <= 0) return { removed: [], isLast: true };
    if ((await this.machines.countEnded(license, now, surplus)) < surplus) {
      throw new DomainError('MACHINES_IN_USE');
    }
    const ended = await this.machines.withFreeSeat(license, now, Math.min(surplus, FREED));
    const removed = ended.map((machine) => remove(MACHINES, machine));
    return { removed, isLast: removed.length === surplus };
  }

  /** The changes of one step that removes the machines of erased licenses of an account; empty once none are left. */
  async removalStep(licenses: readonly License[], most: number): Promise<Change[]> {
    const owners = licenses.filter(({ seats }) => seats > 0);
    const [first] = owners;
    if (!first) return [];
    const { user } = first;
    const ofEach = Math.floor(most / owners.length);
    const groups = owners.map(({ seatsOf }) => seatsOf!);
    const found = await this.store.newestOf(MACHINES, { user }, 'license', groups, ofEach);
    return found.map((machine) => remove(MACHINES, machine));
  }

  /** A license restored from the bin. Long-expired machines of floating licenses have been removed since. */
  async withSeatsLeft(license: License): Promise<License> {
    const { user, seatsOf, seats, leaseSeconds } = license;
    if (seats === 0 || leaseSeconds === null) return license;
    return { ...license, seats: await this.store.count(MACHINES, { user, license: seatsOf! }) };
  }

  /** The machines of licenses in the bin do not count. */
  private async requireRoom(user: AccountId): Promise<void> {
    await this.quota.requireRoom(user, async (atMost) => {
      const { binnedMachines = 0 } = (await this.store.find(TOTALS, { _id: user })) ?? {};
      return (await this.store.count(MACHINES, { user }, atMost + binnedMachines)) - binnedMachines;
    });
  }

  /** Records a machine's use of a once-per-machine plan; null if it has activated another license of the plan. */
  private async recordTrial(
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
   * Removes some long-expired machines of the account, across licenses, so that unused licenses do not accumulate records. A
   * machine that still holds its seat although its stored end is old gets its actual end stored.
   *
   * @param ended a machine that is removed anyway
   */
  private async removeForgotten(license: License, now: Date, ended: Machine | undefined) {
    const filter = forgettableMachines(license.user, now);
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
      changes: [...changes, ...freeSeats(ofOthers)],
      freed: freed.length - ofOthers.length,
    };
  }
}

/** The changes that store a machine. */
export function storeMachine(before: Machine | null, machine: Machine): Change[] {
  if (!before) return [insert(MACHINES, machine)];
  return machine === before ? [] : [replace(MACHINES, before, machine)];
}

/**
 * The change that counts a license's seats. A commit that adds or moves a seat fails if the license has become full or unusable,
 * or if its leases have changed, because a machine that lost its seat may hold it again.
 */
export function countSeats(license: License, added: number): Change {
  const { _id, status, maxMachines, leaseSeconds, unleasedAt, leasedUntil } = license;
  const atMost = added > 0 ? { seats: maxMachines } : {};
  const where = { status, maxMachines, leaseSeconds, unleasedAt, leasedUntil };
  return increment(LICENSES, _id, { seats: added }, { atMost, where });
}

/** Frees one seat per occurrence of a license id. */
const freeSeats = (ids: readonly string[]): Change[] =>
  [...new Set(ids)].map((_id) =>
    increment(LICENSES, _id, { seats: -ids.filter((one) => one === _id).length }),
  );
