import { Injectable } from '@nestjs/common';
import type { License } from '../licenses/license.js';
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Change } from '../storage/changes.js';
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

  /** A machine whose seat is free, of those whose lease has ended the one that ended first; null if there is none. */
  async firstEnded(license: License, now: Date): Promise<Machine | null> {
    const [machine] = await this.ended(license, now, 1);
    return machine ?? null;
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
    if (maxMachines > 1 && !mayHaveEnded(license)) return { ...NONE_IN_USE, machinesCount: seats };
    let held = seats > 0 ? await this.readInUse(license, now) : NONE_IN_USE;
    for (const [before, after] of changes.flatMap(machinesIn)) {
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
      return { ...NONE_IN_USE, machinesCount };
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
    const [held, counts] = await Promise.all([
      this.findOnlyMachines(taken.filter(({ maxMachines }) => maxMachines === 1)),
      this.countHeld(
        taken.filter(({ maxMachines }) => maxMachines > 1),
        now,
      ),
    ]);
    const entries = licenses.map((license): [string, SeatsInUse] => {
      const { _id, seatsOf, seats, maxMachines } = license;
      if (seats === 0) return [_id, NONE_IN_USE];
      if (maxMachines > 1)
        return [_id, { ...NONE_IN_USE, machinesCount: counts.get(_id) ?? seats }];
      const machine = held.get(seatsOf!) ?? null;
      if (!holdsSeat(license, machine, now)) return [_id, NONE_IN_USE];
      return [_id, { machinesCount: 1, machineId: machine.machineId }];
    });
    return new Map(entries);
  }

  /** The machines of licenses with one seat, by their groups. */
  private async findOnlyMachines(licenses: readonly License[]) {
    const [first] = licenses;
    if (!first) return new Map<string, Machine>();
    const groups = licenses.map(({ seatsOf }) => seatsOf!);
    const filter = { user: first.user };
    const found = await this.store.newestOf(MACHINES, filter, 'license', groups, 1);
    return new Map(found.map((machine) => [machine.license, machine]));
  }

  /** The number of machines that hold a seat, of each license that has or had leases. */
  private async countHeld(
    licenses: readonly License[],
    now: Date,
  ): Promise<ReadonlyMap<string, number>> {
    const counted = licenses.filter(mayHaveEnded);
    // The same ends for all, and bounded by their seats: one statement counts them.
    const together = counted.filter(
      ({ leaseSeconds, leasedUntil, seats }) =>
        leaseSeconds !== null && leasedUntil === null && seats <= MAX_COUNTED,
    );
    const alone = counted.filter((license) => !together.includes(license));
    const [ofGroups, ofOthers] = await Promise.all([
      this.countTogether(together, now),
      Promise.all(
        alone.map((one) => this.store.count(MACHINES, machinesWithSeat(one, now), MAX_COUNTED)),
      ),
    ]);
    return new Map([
      ...together.map(({ _id, seatsOf }) => [_id, ofGroups.get(seatsOf) ?? 0] as const),
      ...alone.map(({ _id }, index) => [_id, ofOthers[index]!] as const),
    ]);
  }

  private async countTogether(licenses: readonly License[], now: Date) {
    const [first] = licenses;
    if (!first) return new Map<string | number | null, number>();
    const groups = licenses.map(({ seatsOf }) => seatsOf!);
    const filter = { ...machinesWithSeat(first, now), license: { oneOf: groups } };
    return this.store.countBy(MACHINES, filter, 'license');
  }
}

/** A machine before and after a change; null if there is none. */
function machinesIn(change: Change): (readonly [before: Machine | null, after: Machine | null])[] {
  if (change.collection !== MACHINES) return [];
  switch (change.kind) {
    case 'insert':
      return [[null, change.record as Machine]];
    case 'replace':
      return [[change.before as Machine, change.after as Machine]];
    case 'remove':
      return [[change.before as Machine, null]];
    case 'increment':
    case 'removeAll':
    case 'setAll':
      return [];
  }
}
