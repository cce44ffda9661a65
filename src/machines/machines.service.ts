import { Injectable } from '@nestjs/common';
import type { License } from '../licenses/license.js';
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import type { AccountId } from '../shared/ids.js';
import { type Change, transitionsOf } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { type Machine, MACHINES, recordId } from './machine.js';
import { endedMachines, holdsSeat, machinesWithSeat, mayHaveEnded } from './seat.js';

/** Maximum number of machines counted for a response, for a floating license; the same for its expired machines. */
export const MAX_COUNTED = 1_000;

/** The machines in the response for a license. */
export interface SeatsInUse {
  /** Machines that hold a seat; counted up to {@link MAX_COUNTED} for a floating license. */
  readonly machinesCount: number;
  /** The machine that holds the only seat; null if the license has several seats or the seat is free. */
  readonly machineId: string | null;
}

export const NONE_IN_USE: SeatsInUse = { machinesCount: 0, machineId: null };

const SOONEST_FIRST = { by: 'leaseEndsAt', direction: 'asc' } as const;
const BY_ID = { by: '_id', direction: 'asc' } as const;

/** Reads the machines of licenses. */
@Injectable()
export class Machines {
  constructor(private readonly store: Store) {}

  /** The record of a machine, whether or not it holds a seat now. */
  async find(seatsOf: string | null, machineId: string): Promise<Machine | null> {
    if (seatsOf === null) return null;
    return this.store.find(MACHINES, { _id: recordId(seatsOf, machineId) });
  }

  /** A page of the machines that hold a seat, newest first. */
  list(
    license: License,
    search: string | undefined,
    page: PageRequest,
    now: Date,
  ): Promise<Page<Machine>> {
    const named = search === undefined ? {} : { searchName: { contains: search } };
    const filter = { ...machinesWithSeat(license, now), ...named };
    return readPage(this.store, MACHINES, filter, NEWEST_FIRST, page);
  }

  /** A page of a machine's records, newest first, whether or not it holds those seats now. */
  listOf(user: AccountId, machineId: string, page: PageRequest): Promise<Page<Machine>> {
    return readPage(this.store, MACHINES, { user, machineId }, NEWEST_FIRST, page);
  }

  /** Machines whose seats are free, in the order in which their seats are reassigned. */
  async withFreeSeat(license: License, now: Date, limit: number): Promise<Machine[]> {
    const found: Machine[] = [];
    for (const filter of endedMachines(license, now)) {
      // If no end is given, all have expired at the same time.
      const order = filter.leaseEndsAt === null ? BY_ID : SOONEST_FIRST;
      const slice = { limit: limit - found.length };
      if (slice.limit > 0) found.push(...(await this.store.list(MACHINES, filter, order, slice)));
    }
    return found;
  }

  /** The number of machines whose seats are free, counting at most `atMost` per reason. */
  async countEnded(license: License, now: Date, atMost: number): Promise<number> {
    const counts = endedMachines(license, now).map((filter) =>
      this.store.count(MACHINES, filter, atMost),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /**
   * The taken seats, including released ones that wait for a certificate to expire. Overestimates if many
   * leases have expired.
   */
  async countTaken(license: License, now: Date): Promise<number> {
    return license.seats - (await this.countEnded(license, now, MAX_COUNTED));
  }

  /**
   * The machines shown for a license once these changes are committed.
   *
   * @param license after the changes
   */
  async inUse(license: License, now: Date, changes: readonly Change[] = []): Promise<SeatsInUse> {
    const { seats, seatsOf, maxMachines } = license;
    if (seats === 0) return NONE_IN_USE;
    if (maxMachines > 1 && !mayHaveEnded(license)) return { machinesCount: seats, machineId: null };
    let held = await this.readInUse(license, now);
    for (const { before, after } of transitionsOf(MACHINES, changes)) {
      if ((before ?? after)?.license !== seatsOf) continue;
      const wasHeld = holdsSeat(license, before, now);
      const isHeld = holdsSeat(license, after, now);
      held = {
        machinesCount: held.machinesCount + Number(isHeld) - Number(wasHeld),
        machineId: maxMachines === 1 && isHeld ? after.machineId : null,
      };
    }
    return held;
  }

  private async readInUse(license: License, now: Date): Promise<SeatsInUse> {
    const filter = machinesWithSeat(license, now);
    if (license.maxMachines > 1) {
      const machinesCount = await this.store.count(MACHINES, filter, MAX_COUNTED);
      return { machinesCount, machineId: null };
    }
    const [machine] = await this.store.list(MACHINES, filter, SOONEST_FIRST, { limit: 1 });
    return machine ? { machinesCount: 1, machineId: machine.machineId } : NONE_IN_USE;
  }

  /** The machines shown for each license of an account, by license id. */
  async inUseOfEach(
    licenses: readonly License[],
    now: Date,
  ): Promise<ReadonlyMap<string, SeatsInUse>> {
    const taken = licenses.filter(({ seats }) => seats > 0);
    const leased = taken.filter((one) => one.maxMachines > 1 && mayHaveEnded(one));
    const [only, counts] = await Promise.all([
      this.findOnlyMachines(taken.filter(({ maxMachines }) => maxMachines === 1)),
      this.countHeld(leased, now),
    ]);
    const inUse = (license: License): SeatsInUse => {
      const { _id, seatsOf, seats, maxMachines } = license;
      if (maxMachines > 1) return { machinesCount: counts.get(_id) ?? seats, machineId: null };
      const machine = only.get(seatsOf) ?? null;
      if (!holdsSeat(license, machine, now)) return NONE_IN_USE;
      return { machinesCount: 1, machineId: machine.machineId };
    };
    return new Map(licenses.map((license) => [license._id, inUse(license)]));
  }

  /** The machines of single-seat licenses, by seat group. */
  private async findOnlyMachines(licenses: readonly License[]) {
    const found = new Map<string | null, Machine>();
    const [first] = licenses;
    if (!first) return found;
    const groups = licenses.map(({ seatsOf }) => seatsOf!);
    const filter = { user: first.user };
    const machines = await this.store.newestOf(MACHINES, filter, 'license', groups, 1);
    for (const machine of machines) found.set(machine.license, machine);
    return found;
  }

  /** The number of machines that hold a seat, for each of these licenses with leases. */
  private async countHeld(licenses: readonly License[], now: Date) {
    const counts = new Map<string, number>();
    // They all have the same end and cannot exceed their seats, so one statement counts them.
    const together = licenses.filter(
      ({ leaseSeconds, leasedUntil, seats }) =>
        leaseSeconds !== null && leasedUntil === null && seats <= MAX_COUNTED,
    );
    const [first] = together;
    if (first) {
      const groups = together.map(({ seatsOf }) => seatsOf!);
      const filter = { ...machinesWithSeat(first, now), license: { oneOf: groups } };
      const counted = await this.store.countBy(MACHINES, filter, 'license');
      for (const { _id, seatsOf } of together) counts.set(_id, counted.get(seatsOf) ?? 0);
    }
    const alone = licenses.filter(({ _id }) => !counts.has(_id));
    await Promise.all(
      alone.map(async (one) => {
        const filter = machinesWithSeat(one, now);
        counts.set(one._id, await this.store.count(MACHINES, filter, MAX_COUNTED));
      }),
    );
    return counts;
  }
}
