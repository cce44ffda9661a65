import { setTimeout } from 'node:timers/promises';
import type { HttpCaller } from '../../http-caller.js';
import { Random } from '../../random.js';
import type { ServiceClock } from '../clock/service-clock.js';
import { PatientCaller } from '../patient-caller.js';
import { FORM, type Outcome, SEED, times } from '../prove.js';
import { type Call, Judge, WITHOUT_SEAT } from './judge.js';
import { LEASE, type Race, RacingMachine, type Terms } from './racing-machine.js';
import { MOST, RacingVendor } from './racing-vendor.js';

/** Service seconds per real second: the shortest lease takes a second and a half. */
export const SPEED = 200;

/** The seats that machines race for. */
export interface Rules {
  readonly seats: number;
  /** Rounds in which machines take and release seats. */
  readonly rounds: number;
  /** The leases of a round, and whether machines release seats or the license is revoked during it. */
  readonly roundOf: (round: number) => {
    readonly leaseSeconds: number | null;
    readonly releases: boolean;
    readonly revokes: boolean;
  };
  /** Rounds in which leases expire. */
  readonly leaseRounds: number;
}

/** Lease seconds that outlast any round with releases; every third round is without leases. */
const LONG_LEASES = [null, 3_600];

/** R15: in a third of the rounds nobody releases a seat, in another third the license is revoked. */
export const MANY_SEATS: Rules = {
  seats: 3,
  rounds: times({ short: 6, long: 1_000 }),
  roundOf: (round) => ({
    leaseSeconds: LONG_LEASES[Math.floor(round / 3) % LONG_LEASES.length]!,
    releases: round % 3 > 0,
    revokes: round % 3 === 2,
  }),
  leaseRounds: times({ short: 1, long: 12 }),
};

/** R3: a license is bound to one machine, and revoked in every other round. */
export const ONE_SEAT: Rules = {
  seats: 1,
  rounds: times({ short: 10, long: 1_000 }),
  roundOf: (round) => ({ leaseSeconds: null, releases: false, revokes: round % 2 === 1 }),
  leaseRounds: 0,
};

/** Concurrent rounds, each with its own license, and the machines per round. */
const LANES = 4;
const MACHINES = 20;
/** Activations per machine in a round with releases. */
const TIMES = 2;
/** How long a round with expiring leases lasts until the license is revoked, and after that, in milliseconds. */
const DURATION = times({ short: 4_000, long: 10_000 });
const AFTER_REVOCATION = 300;
const MANY_MACHINES = times({ short: 80, long: 200 });
const FLOATING: Terms = { maxMachines: 20, leaseSeconds: LEASE };

const SCOPES = [
  ...['clients:write', 'projects:write'],
  ...['licenses:read', 'licenses:write', 'licenses:revoke'],
];

/** The service under test. */
interface Raced {
  /** One instance, or several on one store. */
  readonly instances: readonly HttpCaller[];
  /** Runs {@link SPEED} times as fast as real time. */
  readonly clock: ServiceClock;
  /** The inconsistencies of the store. */
  readonly contradictions: () => Promise<string[]>;
}

/**
 * R3 and R15: no race exceeds the machine limit, and no machine is valid after an acknowledged revocation. In rounds with
 * expiring leases, the vendor changes their length and the number of seats, and finally revokes the license.
 */
export async function race(
  { instances, clock, contradictions }: Raced,
  { seats, rounds, roundOf, leaseRounds }: Rules,
): Promise<Outcome> {
  const services = instances.map((instance) => new PatientCaller(instance));
  const [service] = services as [PatientCaller];
  // By this clock, an access token expires within seconds.
  const vendor = await service.addApiKey(await service.register(), SCOPES);
  const { project } = await service.createLicense(vendor);
  const random = new Random(SEED);
  const seen = {
    ...{ rounds: 0, activations: 0, rejections: 0, releases: 0, revocations: 0 },
    ...{ 'leases ended': 0, 'terms changed': 0, 'changes rejected': 0 },
  };
  /** By the available seats. */
  const mostTaken: Record<string, number> = {};
  const failures: string[] = [];
  const newRace = async (terms: Terms, duration = Infinity): Promise<Race> => {
    const license = await service.addLicense(vendor, project, terms);
    const end = performance.now() + duration;
    return { services, license, terms, vendor, random, clock, end };
  };
  /** @returns the maximum number of machines that certainly held a seat at the same time */
  const judge = (round: string, owner: RacingVendor, machines: RacingMachine[], most: number) => {
    const calls = machines.map((machine) => machine.calls);
    const judged = new Judge({ machines: calls, ...owner }, clock);
    const count = (outcome: string) => calls.flat().filter((one) => one.outcome === outcome).length;
    const asked = calls.flat().filter(({ kind }) => kind === 'activation');
    const taken = asked.filter(({ outcome }) => outcome === 'seat').length;
    seen.activations += taken;
    seen.rejections += asked.length - taken;
    seen.releases += count('released');
    seen['leases ended'] += calls.flatMap(lossesIn).length;
    seen.revocations += Number(owner.revocation.sent < Infinity);
    seen['terms changed'] += owner.maxMachines.length + owner.leaseSeconds.length - 2;
    seen['changes rejected'] += owner.rejected;
    const name = `most of ${most} seats`;
    mostTaken[name] = Math.max(mostTaken[name] ?? 0, judged.most);
    const found = [...owner.failures, ...judged.failures()];
    failures.push(...found.map((failure) => `${round}: ${failure}`));
    return judged.most;
  };

  const raceForSeats = async (round: number) => {
    const { leaseSeconds, releases, revokes } = roundOf(round);
    const shared = await newRace({ maxMachines: seats, leaseSeconds });
    const owner = new RacingVendor(shared);
    const machines = newMachines(shared, MACHINES);
    const racing = machines.map((machine) =>
      releases ? machine.comeAndGo(TIMES) : machine.activate().then(() => machine.validate()),
    );
    // During the activations, when some machines already hold a seat.
    const revoking = revokes && setTimeout(random.between(10, 50)).then(() => owner.revoke());
    await Promise.all([...racing, revoking, owner.look(), owner.look()]);
    const holders = machines.filter(({ calls }) => calls.at(-1)!.outcome === 'seat').length;
    const wrong = (revokes ? [] : await owner.look()).filter((count) => count !== holders);
    owner.failures.push(...wrong.map((count) => `${count} are shown, not ${holders}`));
    const most = judge(`round ${round}`, owner, machines, seats);
    if (!releases && !revokes && most < seats)
      failures.push(`round ${round}: ${most} machines hold a seat`);
    if (!revokes && most === 0) failures.push(`round ${round}: no machine certainly held a seat`);
  };
  const runLane = async () => {
    while (seen.rounds < rounds) await raceForSeats(seen.rounds++);
  };
  await Promise.all(Array.from({ length: LANES }, runLane));

  for (let round = 0; round < leaseRounds; round += 1) {
    const shared = await newRace(FLOATING, DURATION);
    const owner = new RacingVendor(shared);
    const machines = newMachines({ ...shared, end: shared.end + AFTER_REVOCATION }, MANY_MACHINES);
    await Promise.all([owner.run(), ...machines.map((machine) => machine.run())]);
    judge(`lease round ${round}`, owner, machines, MOST);
  }
  failures.push(...(await contradictions()));
  // In the short form, a slow machine may never get there.
  const hasAll = FORM === 'short' || leaseRounds === 0;
  const unseen = Object.entries(seen).filter(([, count]) => count === 0 && !hasAll);
  failures.push(...unseen.map(([name]) => `none of the ${name}`));
  const sumOf = (what: 'requests' | 'repeated' | 'unavailable') =>
    services.reduce((sum, caller) => sum + caller[what], 0);
  const sent = { requests: sumOf('requests'), 'sent again': sumOf('repeated') };
  return {
    figures: { ...seen, ...mostTaken, ...sent, 'store unavailable': sumOf('unavailable') },
    failures,
  };
}

/** Calls of a machine that found its seat lost because its lease had expired. */
const lossesIn = (calls: readonly Call[]) =>
  calls.filter(({ kind, outcome }, i) => {
    const hadSeat = calls[i - 1]?.outcome === 'seat' && kind !== 'release';
    return hadSeat && WITHOUT_SEAT.includes(outcome);
  });

const newMachines = (shared: Race, count: number) =>
  Array.from({ length: count }, (_, number) => new RacingMachine(shared, number));
