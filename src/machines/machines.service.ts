import { Injectable } from '@nestjs/common';
import type { License } from '../licenses/license.js';
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import type { AccountId } from '../shared/ids.js';
import { type Change, transitionsOf } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { type Machine, MACHINES, recordId } from './machine.js';
import { endedMachines, holdsSeat, machinesWithSeat, mayHaveEnded } from './seat.js';

/** Most machines of a floating license that are counted for a response, and most ended ones. */
export const MAX_COUNTED = 1_000;

/** What a license shows of its machines. */
export interface SeatsInUse {
  /** Machines that hold a seat; of a floating license up to {@link MAX_COUNTED}. */
  readonly machinesCount: number;
  /** The machine that holds the only seat; null if there are more seats, or none does. */
  readonly machineId: string | null;
}

export const NONE_IN_USE: SeatsInUse = { machinesCount: 0, machineId: null };

const SOONEST_FIRST = { by: 'leaseEndsAt', direction: 'asc' } as const;
const BY_ID = { by: '_id', direction: 'asc' } as const;

/** Reads the machines of licenses. */
@Injectable()
export class Machines {
  constructor(private readonly store: Store) {}

  /** The record of a machine, whether it holds a seat now or not. */
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

  /** A page of the records of a machine, newest first, whether it holds those seats now or not. */
  listOf(user: AccountId, machineId: string, page: PageRequest): Promise<Page<Machine>> {
    return readPage(this.store, MACHINES, { user, machineId }, NEWEST_FIRST, page);
  }

  /** Machines whose seats are free, at most so many, in the order in which seats are taken from them. */
  async ended(license: License, now: Date, limit: number): Promise<Machine[]> {
    const found: Machine[] = [];
    for (const filter of endedMachines(license, now)) {
      // Without an end, all ended at the same time.
      const order = filter.leaseEndsAt === null ? BY_ID : SOONEST_FIRST;
      const slice = { limit: limit - found.length };
      if (slice.limit > 0) found.push(...(await this.store.list(MACHINES, filter, order, slice)));
    }
    return found;
  }

  /** The number of machines whose seats are free, counted up to `atMost` by each reason. */
  async countEnded(license: License, now: Date, atMost: number): Promise<number> {
    const counts = endedMachines(license, now).map((filter) =>
      this.store.count(MACHINES, filter, atMost),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** The seats that are taken, including those that are released and wait for the end of a certificate; not too few, if many have ended. */
  async countTaken(license: License, now: Date): Promise<number> {
    return license.seats - (await this.countEnded(license, now, MAX_COUNTED));
  }

  /**
   * What a license shows of its machines now, once these changes are committed.
   *
   * @param license as the changes leave it
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

  /** What each license of an account shows of its machines now, by the ids of the licenses. */
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

  /** The machines of licenses with one seat, by their groups. */
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

  /** The number of machines that hold a seat, of each of these licenses with leases. */
  private async countHeld(licenses: readonly License[], now: Date) {
    const counts = new Map<string, number>();
    // The same ends for all, and bounded by their seats: one statement counts them.
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
