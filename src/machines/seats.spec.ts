import { aClient, aLicense, aMachine, anIdempotencyRecord, aProject } from '../../test/builders.js';
import { inRequest } from '../../test/contract/in-request.js';
import { Random } from '../../test/random.js';
import { START } from '../../test/fake-clock.js';
import { useServices } from '../../test/services.js';
import { type License, LICENSES } from '../licenses/license.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { PROJECTS } from '../projects/project.js';
import { addDays } from '../shared/time/calendar.js';
import { type Change, insert } from '../storage/changes.js';
import { type Machine, MACHINES } from './machine.js';
import { Machines } from './machines.service.js';
import { isSeatFree, holdsSeat, machinesWithSeat, mayHaveEnded, withLease } from './seat.js';
import { countSeats, Seats } from './seats.service.js';

const NOW = new Date(START);
const seconds = (count: number) => new Date(NOW.getTime() + count * 1000);
const idOf = (name: string) => name.padEnd(64, '0');

describe('The seats of a license', () => {
  const { store, the, put, stored, add, change, addAccount, addLicense } = useServices();
  let license: License;

  const floating = async (fields: Partial<License> = {}) => {
    const { account: owner } = await addAccount();
    const project = await add(PROJECTS, aProject(aClient({ owner })));
    const terms = { status: 'ACTIVE', leaseSeconds: 1000, maxMachines: 3 } as const;
    return addLicense(project, { ...terms, expiresAt: addDays(NOW, 90), ...fields });
  };
  beforeEach(async () => void (license = await floating()));

  const hold = (name: string, fields: Partial<Machine> = {}, of = license) =>
    add(MACHINES, aMachine(idOf(name), { leaseEndsAt: seconds(1), ...fields }, of));
  const fill = async (...ends: number[]) => {
    for (const [index, end] of ends.entries()) {
      await hold(`m${index}`, { leaseEndsAt: seconds(end) });
    }
    await change(LICENSES, license, { seats: ends.length });
    license = await stored(LICENSES, license);
  };
  const take = (isExclusive = true, machine: Machine | null = null, fingerprint?: string) => {
    const arrival = { license, caller: { machineId: idOf('new') }, machine };
    return the(Seats).take(arrival, { fingerprint, isCertified: false, isExclusive }, NOW);
  };
  const taken = async () => {
    const seat = await take();
    if (typeof seat === 'string') throw new Error(seat);
    return seat;
  };
  const removedBy = (changes: readonly Change[]) =>
    changes.flatMap((one) =>
      one.kind === 'remove' ? [(one.before as Machine).machineId.replace(/0+$/, '')] : [],
    );

  it('are taken while free, without evicting a machine', async () => {
    await fill(-5, 5);
    expect(await taken()).toMatchObject({ added: 1, changes: [], isTaken: true });
    expect(await take(false)).toMatchObject({ added: 1 });
  });

  it('go to a new machine from the lease that expired first, never from a machine that holds its seat', async () => {
    await fill(-5, 1, -9);
    const { added, changes } = await taken();
    expect([added, removedBy(changes)]).toEqual([0, ['m2']]);
    expect(await take(false)).toBe('contended');
    await hold('released', { leaseEndsAt: seconds(0), isReleased: true });
    expect(removedBy((await taken()).changes)).toEqual(['released']);
    const [ended] = store.all(MACHINES).filter(({ machineId }) => machineId === idOf('m2'));
    await change(MACHINES, ended!, { leaseEndsAt: seconds(1000) });
    expect(await store.commit(changes)).toMatchObject({ ok: false, failed: changes[0] });
  });

  it('do not go to a machine whose fingerprint is a placeholder, unless it has a record', async () => {
    const placeholder = 'undefined-undefined';
    const rejection = { code: 'FINGERPRINT_INVALID' };
    await expect(take(true, null, placeholder)).rejects.toMatchObject(rejection);
    const own = await hold('own');
    expect(await take(true, own, placeholder)).toMatchObject({ before: own });
    await fill(1, 1, 1);
    expect(await take(true, null, placeholder)).toBe('machine_limit');
  });

  it('are shown as released by the commit that releases them', async () => {
    license = await floating({ maxMachines: 1, seats: 1 });
    const machine = await hold('a');
    const { changes } = the(Seats).release(license, machine, NOW);
    const inUse = await the(Machines).inUse({ ...license, seats: 0 }, NOW, changes);
    expect(inUse).toEqual({ machinesCount: 0, machineId: null });
  });

  it('never exceed maxMachines, even if a decision read outdated data', async () => {
    await fill(1, 2);
    const seat = countSeats(license, 1);
    expect(await store.commit([seat])).toMatchObject({ ok: true });
    expect(await store.commit([seat])).toEqual({ ok: false, failed: seat });
    const moved = countSeats(await stored(LICENSES, license), 0);
    for (const fields of [{ maxMachines: 9 }, { maxMachines: 3, status: 'REVOKED' }] as const) {
      await change(LICENSES, license, fields);
      expect(await store.commit([moved])).toEqual({ ok: false, failed: moved });
    }
  });

  it('belong to a machine while its record exists; retaking a seat counts only after a release', async () => {
    await fill(1, 1, 1);
    const own = (fields: object) => aMachine(idOf('new'), { leaseEndsAt: seconds(-1), ...fields });
    expect(await take(false, own({}))).toMatchObject({
      ...{ wasHeld: false, isTaken: false, added: 0, changes: [] },
      machine: { leaseEndsAt: seconds(1000) },
    });
    expect(await take(false, own({ leaseEndsAt: seconds(1) }))).toMatchObject({ wasHeld: true });
    const released = { wasHeld: false, isTaken: true, machine: { isReleased: false } };
    expect(await take(false, own({ isReleased: true }))).toMatchObject(released);
  });

  it('are not taken from a machine whose lease was just extended by the license', async () => {
    await fill(-5, 5, 5);
    const { machine, added, changes } = await taken();
    const { unleasedAt, leasedUntil } = withLease(withLease(license, null, NOW), 1000, NOW);
    const moved = [insert(MACHINES, machine), ...changes, countSeats(license, added)];
    for (const leases of [
      { leaseSeconds: null },
      { leaseSeconds: 1000, unleasedAt, leasedUntil },
    ]) {
      await change(LICENSES, license, leases);
      expect(await store.commit(moved)).toEqual({ ok: false, failed: moved.at(-1) });
    }
  });

  it('are freed by the next machine if they expired over 30 days ago, on any license of the account', async () => {
    const { user } = license;
    const project = (await store.find(PROJECTS, { _id: license.project }))!;
    const terms = { status: 'ACTIVE', seats: 1 } as const;
    const [leased, unleased] = [
      await addLicense(project, { ...terms, leaseSeconds: 600 }),
      await addLicense(project, { ...terms, unleasedAt: addDays(NOW, -60) }),
    ];
    await hold('gone', { leaseEndsAt: addDays(NOW, -40) }, leased);
    await hold('held', { leaseEndsAt: addDays(NOW, -39), isCertified: true }, unleased);
    await hold('recent', { leaseEndsAt: addDays(NOW, -29) }, leased);
    await hold('other', { leaseEndsAt: addDays(NOW, -50) }, await floating({ seats: 1 }));
    const { changes } = await taken();
    await put(...changes);
    expect(store.all(MACHINES).filter((one) => one.user === user)).toMatchObject([
      { machineId: idOf('held'), leaseEndsAt: null, isCertified: false },
      { machineId: idOf('recent') },
    ]);
    expect([await stored(LICENSES, leased), await stored(LICENSES, unleased)]).toMatchObject([
      { seats: 0 },
      { seats: 1 },
    ]);
    expect((await taken()).changes).toEqual([]);
  });

  it('count for the machine that takes one if the license itself has forgotten them', async () => {
    await hold('a', { leaseEndsAt: addDays(NOW, -40) });
    await hold('b', { leaseEndsAt: addDays(NOW, -41) });
    await change(LICENSES, license, { seats: 2 });
    license = await stored(LICENSES, license);
    const { added, changes } = await taken();
    expect([added, removedBy(changes)]).toEqual([-1, ['b', 'a']]);
    expect(changes).toHaveLength(2);
  });

  it('are freed in steps when their number is lowered, or not at all if too many are held', async () => {
    license = await floating({ maxMachines: 5_000 });
    const records = Array.from({ length: 2_001 }, (_, i) =>
      aMachine(idOf(`m${i}x`), { leaseEndsAt: seconds(-i) }, license),
    );
    await put(...records.map((record) => insert(MACHINES, record)));
    await hold('held');
    await change(LICENSES, license, { seats: 2_002 });
    license = await stored(LICENSES, license);
    const tooFew = the(Seats).freeSurplus(license, 0, NOW);
    await expect(tooFew).rejects.toMatchObject({ code: 'MACHINES_IN_USE' });
    const step = await the(Seats).freeSurplus(license, 1_902, NOW);
    expect([step.removed.length, step.isLast]).toEqual([100, true]);
    expect(await the(Seats).freeSurplus(license, 1_901, NOW)).toMatchObject({ isLast: false });
    const update = { maxMachines: 1 };
    const idempotency = anIdempotencyRecord({ owner: license.user });
    for (let count = 0; count < 2; count += 1) {
      const { machines } = await inRequest(5_000, () =>
        the(LicensesService).update(license._id, license.user, update, idempotency),
      );
      expect(machines).toEqual({ machinesCount: 1, machineId: idOf('held') });
    }
    expect(await stored(LICENSES, license)).toMatchObject({ seats: 1, maxMachines: 1 });
    expect(store.all(MACHINES)).toMatchObject([{ machineId: idOf('held') }]);
  });

  it('are emptied in steps, license by license', async () => {
    await fill(1, 2, 3);
    const changes = await the(Seats).removalStep([license, await floating()], 1_000);
    expect(changes).toHaveLength(3);
    await put(...changes);
    expect(await the(Seats).removalStep([await stored(LICENSES, license)], 1)).toEqual([]);
    expect(store.all(MACHINES)).toEqual([]);
  });
});

describe('The machines selected by a read', () => {
  const { store, the, put } = useServices();
  const TIMES = [-3, -2, -1, 0, 1, 2, 3].map(seconds);

  it('hold or free their seat by the same rules, however leases were removed and set', async () => {
    const random = new Random(1);
    const of = <T>(items: readonly T[]) => random.of(items);
    for (let round = 0; round < 60; round++) {
      let license = aLicense(aProject(), { maxMachines: 9, leaseSeconds: of([null, 1, 2]) });
      for (const at of TIMES.slice(0, random.between(0, 4))) {
        license = withLease(license, of([null, 1, 2]), at);
      }
      const machines = Array.from({ length: 8 }, (_, index) => {
        const isReleased = random.between(0, 3) === 0;
        const end = isReleased ? of(TIMES) : of([...TIMES, null]);
        // Unless a switch says otherwise, every machine of a license with leases has one.
        const leaseEndsAt =
          license.leasedUntil || license.leaseSeconds === null ? end : (end ?? NOW);
        return aMachine(idOf(`m${round}x${index}`), { leaseEndsAt, isReleased }, license);
      });
      const possible = mayHaveEnded(license)
        ? machines
        : machines.filter(({ leaseEndsAt }) => leaseEndsAt === null);
      license = { ...license, seats: possible.length };
      await put(insert(LICENSES, license), ...possible.map((one) => insert(MACHINES, one)));
      const namesOf = (found: readonly Machine[]) => found.map(({ _id }) => _id).toSorted();
      const held = possible.filter((one) => holdsSeat(license, one, NOW));
      const ended = possible.filter((one) => isSeatFree(license, one, NOW));
      const order = { by: '_id', direction: 'asc' } as const;
      const found = await store.list(
        MACHINES,
        machinesWithSeat(license, NOW),
        { ...order, by: 'createdAt' },
        { limit: 9 },
      );
      expect([round, namesOf(found)]).toEqual([round, namesOf(held)]);
      const free = await the(Machines).withFreeSeat(license, NOW, 9);
      expect([round, namesOf(free)]).toEqual([round, namesOf(ended)]);
      expect(await the(Machines).countTaken(license, NOW)).toBe(possible.length - ended.length);
      const { machinesCount } = await the(Machines).inUse(license, NOW);
      const onPage = (await the(Machines).inUseOfEach([license], NOW)).get(license._id);
      expect([machinesCount, onPage!.machinesCount]).toEqual([held.length, held.length]);
    }
  });
});
