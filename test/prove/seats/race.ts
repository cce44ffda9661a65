import { setTimeout } from 'node:timers/promises';
import type { HttpCaller } from '../../http-caller.js';
import { Random } from '../../random.js';
import type { ServiceClock } from '../clock/service-clock.js';
import { PatientCaller } from '../patient-caller.js';
import { FORM, type Outcome, SEED, times } from '../prove.js';
import { type Call, Judge, WITHOUT_SEAT } from './judge.js';
import { LEASE, type Race, RacingMachine, type Terms } from './racing-machine.js';
import { MOST, RacingVendor } from './racing-vendor.js';

/** Seconds of the service in a second: the shortest lease takes a second and a half. */
export const SPEED = 200;

/** Rounds in which machines take and release seats, so many at the same time, each with a license of its own. */
const SEAT_ROUNDS = times({ short: 6, long: 1_000 });
const LANES = 4;
const SEATS = 3;
const MACHINES = 20;
/** Activations of a machine in a round with releases. */
const TIMES = 2;
/** Seconds of a lease that no such round outlasts; every other three rounds are without leases. */
const LONG_LEASES = [null, 3_600];

/** Rounds in which leases end, and their duration until the license is revoked, and from then on, in milliseconds. */
const LEASE_ROUNDS = times({ short: 1, long: 12 });
const DURATION = times({ short: 6_000, long: 10_000 });
const AFTER_REVOCATION = 300;
const MANY_MACHINES = 200;
const FLOATING: Terms = { maxMachines: 20, leaseSeconds: LEASE };

const SCOPES = [
  ...['clients:write', 'projects:write'],
  ...['licenses:read', 'licenses:write', 'licenses:revoke'],
];

/** The service that machines race for. */
interface Raced {
  /** One instance, or several on one store. */
  readonly instances: readonly HttpCaller[];
  /** Runs {@link SPEED} times as fast as the real time. */
  readonly clock: ServiceClock;
  /** The inconsistencies of the store. */
  readonly contradictions: () => Promise<string[]>;
}

/**
 * R15: no race passes the limit of machines. In the seat rounds there are fewer seats than machines: in a third nobody releases one,
 * in another the license is revoked meanwhile. In the lease rounds leases end, and the vendor changes their length and the number of
 * seats, and revokes the license in the end.
 */
export async function race({ instances, clock, contradictions }: Raced): Promise<Outcome> {
  const services = instances.map((instance) => new PatientCaller(instance));
  const [service] = services as [PatientCaller];
  // An access token ends within seconds, of this clock.
  const vendor = await service.addApiKey(await service.register(), SCOPES);
  const { project } = await service.createLicense(vendor);
  const random = new Random(SEED);
  const seen = {
    ...{ rounds: 0, activations: 0, rejections: 0, releases: 0, revocations: 0 },
    ...{ 'leases ended': 0, 'terms changed': 0, 'changed in vain': 0 },
    ...{ 'most of 3 seats': 0, 'most of 28 seats': 0 },
  };
  const failures: string[] = [];
  const newRace = async (terms: Terms, duration = Infinity): Promise<Race> => {
    const license = await service.addLicense(vendor, project, terms);
    const end = performance.now() + duration;
    return { services, license, terms, vendor, random, clock, end, certifies: end < Infinity };
  };
  /** @returns the most machines that certainly held a seat at the same time */
  const judge = (
    round: string,
    owner: RacingVendor,
    machines: RacingMachine[],
    most: typeof SEATS | typeof MOST,
  ) => {
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
    seen['changed in vain'] += owner.inVain;
    const name = `most of ${most} seats` as const;
    seen[name] = Math.max(seen[name], judged.most);
    const found = [...owner.failures, ...judged.failures()];
    failures.push(...found.map((failure) => `${round}: ${failure}`));
    return judged.most;
  };

  const raceForSeats = async (round: number) => {
    const [releases, revokes] = [round % 3 > 0, round % 3 === 2];
    const leaseSeconds = LONG_LEASES[Math.floor(round / 3) % LONG_LEASES.length]!;
    const shared = await newRace({ maxMachines: SEATS, leaseSeconds });
    const owner = new RacingVendor(shared);
    const machines = newMachines(shared, MACHINES);
    const racing = machines.map((machine) =>
      releases ? machine.comeAndGo(TIMES) : machine.activate().then(() => machine.validate()),
    );
    // During the activations: some machines have held a seat by then.
    const revoking = revokes && setTimeout(random.between(10, 50)).then(() => owner.revoke());
    await Promise.all([...racing, revoking, owner.look(), owner.look()]);
    const holders = machines.filter(({ calls }) => calls.at(-1)!.outcome === 'seat').length;
    const wrong = (revokes ? [] : await owner.look()).filter((count) => count !== holders);
    owner.failures.push(...wrong.map((count) => `${count} are shown, not ${holders}`));
    const most = judge(`round ${round}`, owner, machines, SEATS);
    if (!releases && most < SEATS) failures.push(`round ${round}: ${most} machines hold a seat`);
    if (!revokes && most === 0) failures.push(`round ${round}: no machine certainly held a seat`);
  };
  const runLane = async () => {
    while (seen.rounds < SEAT_ROUNDS) await raceForSeats(seen.rounds++);
  };
  await Promise.all(Array.from({ length: LANES }, runLane));

  for (let round = 0; round < LEASE_ROUNDS; round += 1) {
    const shared = await newRace(FLOATING, DURATION);
    const owner = new RacingVendor(shared);
    const machines = newMachines({ ...shared, end: shared.end + AFTER_REVOCATION }, MANY_MACHINES);
    await Promise.all([owner.run(), ...machines.map((machine) => machine.run())]);
    judge(`lease round ${round}`, owner, machines, MOST);
  }
  failures.push(...(await contradictions()));
  // In the short form, a slow machine may not come to it.
  const unseen = Object.entries(seen).filter(([, count]) => count === 0 && FORM === 'long');
  failures.push(...unseen.map(([name]) => `none of the ${name}`));
  const sumOf = (what: 'requests' | 'repeated' | 'unavailable') =>
    services.reduce((sum, caller) => sum + caller[what], 0);
  const sent = { requests: sumOf('requests'), 'sent again': sumOf('repeated') };
  return { figures: { ...seen, ...sent, 'store unavailable': sumOf('unavailable') }, failures };
}

/** Calls of a machine that found its seat lost, as its lease had ended. */
const lossesIn = (calls: readonly Call[]) =>
  calls.filter(({ kind, outcome }, i) => {
    const hadSeat = calls[i - 1]?.outcome === 'seat' && kind !== 'release';
    return hadSeat && WITHOUT_SEAT.includes(outcome);
  });

const newMachines = (shared: Race, count: number) =>
  Array.from({ length: count }, (_, number) => new RacingMachine(shared, number));
