import type { HttpCaller } from '../../http-caller.js';
import { Random } from '../../random.js';
import type { ServiceClock } from '../clock/service-clock.js';
import { PatientCaller } from '../patient-caller.js';
import { FORM, type Outcome, SEED, times } from '../prove.js';
import type { Call } from './history.js';
import { Judge, WITHOUT_SEAT } from './judge.js';
import { meetLastMoments } from './last-moments.js';
import { type Race, RacingMachine } from './racing-machine.js';
import { LEASES, RacingVendor, SEATS } from './racing-vendor.js';

/** Seconds of the service in a second: the shortest lease takes a second and a half. */
export const SPEED = 200;

const ROUNDS = times({ short: 1, long: 12 });
/** Duration of a round, until the license is revoked, and from then on, in milliseconds. */
const DURATION = times({ short: 3_000, long: 10_000 });
const AFTER_REVOCATION = 300;
const MACHINES = 200;

export const SCOPES = [
  ...['clients:write', 'projects:write'],
  ...['licenses:read', 'licenses:write', 'licenses:revoke'],
];

/** The service that machines race for. */
export interface Raced {
  /** One instance, or several on one store. */
  readonly instances: readonly HttpCaller[];
  /** Runs {@link SPEED} times as fast as the real time. */
  readonly clock: ServiceClock;
  /** The inconsistencies of the store. */
  readonly contradictions: () => Promise<string[]>;
}

/**
 * R15 with leases: machines race for the seats of one license, whose leases end meanwhile; the vendor changes the number of seats
 * and the leases, and revokes the license in the end.
 */
export async function raceWithLeases(raced: Raced): Promise<Outcome> {
  const { clock } = raced;
  const services = raced.instances.map((instance) => new PatientCaller(instance));
  const [service] = services as [PatientCaller];
  // An access token ends within seconds, of this clock.
  const vendor = await service.addApiKey(await service.register(), SCOPES);
  const { project } = await service.createLicense(vendor);
  const random = new Random(SEED);
  const seen = newSeen();
  const failures: string[] = [];
  const newRace = async (duration: number): Promise<Race> => {
    const terms = { maxMachines: SEATS, leaseSeconds: LEASES[0] };
    const license = await service.addLicense(vendor, project, terms);
    const end = performance.now() + duration;
    return {
      services,
      license,
      vendor,
      random,
      clock,
      lease: clock.real(LEASES[0]),
      end,
      certifies: true,
    };
  };
  for (; seen['lease rounds'] < ROUNDS; seen['lease rounds'] += 1) {
    const found = await runRound(await newRace(DURATION), seen);
    failures.push(...found.map((failure) => `lease round ${seen['lease rounds']}: ${failure}`));
  }
  const found = await endLeases(await newRace(Infinity), seen);
  failures.push(...found.map((failure) => `last moments: ${failure}`));
  failures.push(...(await raced.contradictions()), ...unseen(seen));
  return { figures: seen, failures };
}

const newSeen = () => ({
  ...{ 'lease rounds': 0, 'last moments': 0, heartbeats: 0, 'heartbeats sent again': 0 },
  ...{ 'seats given': 0, 'limit reached': 0, 'leases ended': 0, 'machines released': 0 },
  ...{ raised: 0, lowered: 0, 'changed in vain': 0, 'leases set': 0, 'leases removed': 0 },
  'most of 28 seats': 0,
});

type Seen = ReturnType<typeof newSeen>;

/** @returns what was wrong */
async function runRound(race: Race, seen: Seen): Promise<string[]> {
  const [vendor] = participants(race);
  const [, machines] = participants({ ...race, end: race.end + AFTER_REVOCATION });
  await Promise.all([vendor.run(), ...machines.map((machine) => machine.run())]);
  return judge(race, vendor, machines, seen);
}

/** @returns what was wrong */
async function endLeases(race: Race, seen: Seen): Promise<string[]> {
  const [vendor, machines] = participants(race);
  seen['last moments'] = await meetLastMoments(race, vendor, machines);
  return judge(race, vendor, machines, seen);
}

function participants(race: Race): [RacingVendor, RacingMachine[]] {
  const numbers = Array.from({ length: MACHINES }, (_, number) => number);
  return [new RacingVendor(race), numbers.map((number) => new RacingMachine(race, number))];
}

function judge(
  { clock }: Race,
  { maxMachines, leaseSeconds, revocation, inVain, failures }: RacingVendor,
  machines: readonly RacingMachine[],
  seen: Seen,
): string[] {
  const calls = machines.map((machine) => machine.calls);
  const judged = new Judge({ machines: calls, maxMachines, leaseSeconds, revocation }, clock);
  const count = (outcome: string) => calls.flat().filter((call) => call.outcome === outcome).length;
  const { sent, repeated } = judged.heartbeats;
  seen.heartbeats += sent;
  seen['heartbeats sent again'] += repeated;
  seen['seats given'] += count('seat');
  seen['limit reached'] += count('MACHINE_LIMIT_REACHED');
  seen['leases ended'] += calls.flatMap(lossesIn).length;
  seen['machines released'] += count('released');
  seen['changed in vain'] += inVain;
  const steps = maxMachines.slice(1).map(({ to }, index) => to - maxMachines[index]!.to);
  seen.raised += steps.filter((step) => step > 0).length;
  seen.lowered += steps.filter((step) => step < 0).length;
  const leases = leaseSeconds.slice(1);
  seen['leases set'] += leases.filter(({ to }) => to !== null).length;
  seen['leases removed'] += leases.filter(({ to }) => to === null).length;
  seen['most of 28 seats'] = Math.max(seen['most of 28 seats'], judged.most);
  return [...failures, ...judged.failures()];
}

/** Calls of a machine that found its seat lost, as its lease had ended. */
const lossesIn = (calls: readonly Call[]) =>
  calls.filter(({ kind, outcome }, index) => {
    const hadSeat = calls[index - 1]?.outcome === 'seat' && kind !== 'release';
    return hadSeat && WITHOUT_SEAT.includes(outcome);
  });

/** What the proof must have met: in the short form, a slow machine may not come to it. */
function unseen({ 'heartbeats sent again': repeated, ...seen }: Seen): string[] {
  if (FORM === 'short') return [];
  const missing = Object.entries(seen).filter(([, count]) => count === 0);
  return [
    ...missing.map(([name]) => `none of the ${name}`),
    ...(repeated > 0 ? [`${repeated} heartbeats were rejected for a while`] : []),
  ];
}
