import { setTimeout } from 'node:timers/promises';
import { PatientCaller } from '../patient-caller.js';
import { type Outcome, SEED, times } from '../prove.js';
import { Random } from '../../random.js';
import { Judge } from './judge.js';
import { type Raced, SCOPES } from './lease-race.js';
import { type Race, RacingMachine } from './racing-machine.js';
import { RacingVendor } from './racing-vendor.js';

const ROUNDS = times({ short: 6, long: 1_000 });
const SEATS = 3;
const MACHINES = 20;
/** Activations of a machine in a round with releases. */
const TIMES = 2;
/** Rounds at the same time, each with a license of its own. */
const LANES = 4;
/** Seconds of a lease that no round outlasts; every other three rounds are without leases. */
const LEASES = [null, 3_600];

const newSeen = () => ({
  ...{ rounds: 0, activations: 0, rejections: 0, releases: 0, revocations: 0 },
  'most of 3 seats': 0,
});

/**
 * R15: machines race for the seats of one license, of which there are fewer. In a third of the rounds nobody releases one, in another
 * the license is revoked meanwhile.
 */
export async function raceForSeats({ instances, clock }: Raced): Promise<Outcome> {
  const seen = newSeen();
  const failures: string[] = [];
  const services = instances.map((instance) => new PatientCaller(instance));
  const [service] = services as [PatientCaller];
  const vendor = await service.addApiKey(await service.register(), SCOPES);
  const { project } = await service.createLicense(vendor);
  const random = new Random(SEED);
  const runRound = async (number: number): Promise<string[]> => {
    const [releases, revokes] = [number % 3 > 0, number % 3 === 2];
    const leaseSeconds = LEASES[Math.floor(number / 3) % LEASES.length]!;
    const terms = { maxMachines: SEATS, leaseSeconds };
    const license = await service.addLicense(vendor, project, terms);
    const shared = { services, license, vendor, random, clock };
    const race: Race = { ...shared, lease: Infinity, end: Infinity, certifies: false };
    const owner = new RacingVendor(race, SEATS, leaseSeconds);
    const machines = Array.from({ length: MACHINES }, (_, i) => new RacingMachine(race, i));
    const racing = machines.map((machine) =>
      releases
        ? machine.comeAndGo(TIMES, leaseSeconds !== null)
        : machine.activate().then(() => machine.validate()),
    );
    // During the activations: some machines have held a seat by then.
    const revoking = revokes && setTimeout(random.between(10, 50)).then(() => owner.revoke());
    await Promise.all([...racing, revoking, owner.look(), owner.look()]);

    const calls = machines.map((machine) => machine.calls);
    const judge = new Judge({ machines: calls, ...owner }, clock);
    const holders = calls.filter((each) => each.at(-1)!.outcome === 'seat').length;
    const counts = revokes ? [] : await owner.look();
    const count = (outcome: string) => calls.flat().filter((one) => one.outcome === outcome).length;
    const ofKind = calls.flat().filter(({ kind }) => kind === 'activation');
    const taken = ofKind.filter(({ outcome }) => outcome === 'seat').length;
    seen.activations += taken;
    seen.rejections += ofKind.length - taken;
    seen.releases += count('released');
    seen.revocations += Number(revokes);
    seen['most of 3 seats'] = Math.max(seen['most of 3 seats'], judge.most);
    return [
      ...owner.failures,
      ...judge.failures(),
      ...(releases || judge.most === SEATS ? [] : [`${judge.most} machines hold a seat`]),
      ...(revokes || judge.most > 0 ? [] : ['no machine certainly held a seat']),
      ...counts
        .filter((each) => each !== holders)
        .map((each) => `${each} are shown, not ${holders}`),
    ];
  };
  const run = async () => {
    while (seen.rounds < ROUNDS) {
      const number = seen.rounds++;
      failures.push(...(await runRound(number)).map((failure) => `round ${number}: ${failure}`));
    }
  };
  await Promise.all(Array.from({ length: LANES }, run));
  const sumOf = (what: 'requests' | 'repeated' | 'unavailable') =>
    services.reduce((sum, caller) => sum + caller[what], 0);
  const sent = { requests: sumOf('requests'), 'sent again': sumOf('repeated') };
  return { figures: { ...seen, ...sent, 'store unavailable': sumOf('unavailable') }, failures };
}
