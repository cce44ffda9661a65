import { Injectable } from '@nestjs/common';
import { type License, LICENSES } from '../licenses/license.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { EstimatedQuota } from '../shared/quotas/estimated-quota.js';
import { type Change, increment, MAX_BATCH_SIZE, remove, replace } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { type Caller, type Machine, MACHINES } from './machine.js';
import { Machines } from './machines.service.js';
import { isForgotten, leaseEndOf, mayBeForgotten, released, seated } from './seat.js';

/** Most forgotten machines that a machine which takes a seat removes. */
const MAX_FORGOTTEN = 2;
const SOONEST_FIRST = { by: 'leaseEndsAt', direction: 'asc' } as const;

/** What a commit changes besides the license, if a machine takes a seat or gives it up. */
export interface SeatChange {
  /** What the commit adds to `seats` of the license. */
  readonly added: number;
  readonly changes: readonly Change[];
}

/** A machine that takes a seat, which the commit inserts, and what it changes besides. */
export interface SeatTaken extends SeatChange {
  readonly machine: Machine;
}

/** Why a machine has taken no seat: all are taken, or one is free that others may be after, too. */
export type NoSeat = 'full' | 'contended';

/** Decides who gets the seats of a license. The store ensures that no commit passes their number. */
@Injectable()
export class Seats {
  /** Estimated: a counter would be one record that all activations of an account change. */
  private readonly quota: EstimatedQuota;

  constructor(
    private readonly store: Store,
    private readonly machines: Machines,
    { quotas }: Config,
  ) {
    this.quota = new EstimatedQuota(quotas.machines, 'MACHINE_QUOTA_REACHED');
  }

  /**
   * Takes a seat for a machine without a record. If there are as many records as seats, it takes the seat of one whose lease has ended.
   *
   * @param isCertified whether a certificate is issued that ends with the lease
   * @param isAlone whether no other machine takes a seat of this license now: otherwise it takes none from another machine
   * @throws DomainError MACHINE_QUOTA_REACHED
   */
  async take(
    license: License,
    caller: Caller,
    isCertified: boolean,
    now: Date,
    isAlone: boolean,
  ): Promise<SeatTaken | NoSeat> {
    const hasFree = license.seats < license.maxMachines;
    const ended = hasFree ? null : await this.machines.firstEnded(license, now);
    if (!hasFree && !ended) return 'full';
    if (ended && !isAlone) return 'contended';
    if (hasFree) {
      const { user } = license;
      const count = (atMost: number) => this.store.count(MACHINES, { user }, atMost);
      await this.quota.requireRoom(user, count);
    }
    const machine = seated(license, caller, isCertified, now);
    const forgotten = await this.forgotten(license, now, ended);
    return {
      machine,
      added: (ended ? 0 : 1) - forgotten.freed,
      changes: [...(ended ? [remove(MACHINES, ended)] : []), ...forgotten.changes],
    };
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

  /** The changes of a step that removes the machines of licenses of an account; none if there are none left. */
  async emptying(licenses: readonly License[]): Promise<Change[]> {
    const owners = new Map(
      licenses.flatMap((one) => (one.seats > 0 ? [[one.seatsOf!, one] as const] : [])),
    );
    const [first] = owners.values();
    if (!first) return [];
    const { user } = first;
    const ofEach = Math.floor(MAX_BATCH_SIZE / owners.size);
    const groups = [...owners.keys()];
    const found = await this.store.newestOf(MACHINES, { user }, 'license', groups, ofEach);
    const freed = countsOf(found.map(({ license }) => owners.get(license)!._id));
    return [...found.map((machine) => remove(MACHINES, machine)), ...subtracting(freed)];
  }

  /**
   * Removes some machines of the account, of any license, that have ended long ago, so that nothing is left of licenses that nobody
   * uses. A machine that holds its seat although its stored end is long past gets the end that it has.
   *
   * @param ended a machine that is removed anyway
   */
  private async forgotten(license: License, now: Date, ended: Machine | null) {
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
    const ofOthers = countsOf(freed.filter((_id) => _id !== license._id));
    const ofOwn = freed.filter((_id) => _id === license._id).length;
    return { changes: [...changes, ...subtracting(ofOthers)], freed: ofOwn };
  }
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

const countsOf = (ids: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...new Set(ids)].map((_id) => [_id, ids.filter((one) => one === _id).length]));

const subtracting = (freed: ReadonlyMap<string, number>): Change[] =>
  [...freed].map(([_id, count]) => increment(LICENSES, _id, { seats: -count }));
