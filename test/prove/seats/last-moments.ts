import { setTimeout } from 'node:timers/promises';
import { times } from '../prove.js';
import type { Race, RacingMachine } from './racing-machine.js';
import { type RacingVendor, SEATS } from './racing-vendor.js';

const ENDS = times({ short: 2, long: 40 });
const MACHINES = 60;
/** Most seats that the vendor removes. */
const REMOVED = 5;
/** Others begin within this time after the first lease has ended, in milliseconds. */
const WITHIN = 50;

/**
 * Lets all leases of a license end at about the same time, again and again. Machines beat as their own lease ends, while others take the
 * seats, and the vendor removes some.
 *
 * @returns how often they have ended
 */
export async function meetLastMoments(
  race: Race,
  vendor: RacingVendor,
  machines: readonly RacingMachine[],
): Promise<number> {
  const racing = machines.slice(0, MACHINES);
  await all(racing, (machine) => machine.activate());
  for (let end = 0; end < ENDS; end += 1) {
    await vendor.change({ maxMachines: SEATS });
    await all(racing.filter(isHolder), (machine) => machine.beat());
    const holders = racing.filter(isHolder);
    const others = racing.filter((machine) => !isHolder(machine));
    const ends = holders.map(({ leaseEndsAt }) => leaseEndsAt);
    const first = Math.min(performance.now() + race.lease, ...ends);
    const begin = () => {
      const at = first + race.random.between(0, WITHIN);
      return setTimeout(Math.max(0, at - performance.now()));
    };
    await Promise.all([
      all(holders, (machine) => machine.beatAtLast()),
      all(others, async (machine) => {
        await begin();
        return machine.activate();
      }),
      begin().then(() => vendor.change({ maxMachines: SEATS - race.random.between(1, REMOVED) })),
    ]);
    await all(racing, (machine) => machine.validate());
  }
  return ENDS;
}

const all = (
  machines: readonly RacingMachine[],
  work: (machine: RacingMachine) => Promise<boolean>,
) => Promise.all(machines.map(work));

const isHolder = ({ calls }: RacingMachine) => calls.at(-1)!.outcome === 'seat';
