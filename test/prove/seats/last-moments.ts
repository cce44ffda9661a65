import { setTimeout } from 'node:timers/promises';
import { times } from '../prove.js';
import { type Race, RacingMachine } from './racing-machine.js';

const ENDS = times({ short: 3, long: 40 });
const MACHINES = 60;
/** Others begin within this time after the first lease has ended, in milliseconds. */
const WITHIN = 50;

/**
 * Lets all leases of a license end at about the same time, again and again. Machines beat as their own lease ends, while others take the
 * seats.
 *
 * @returns the machines with their calls
 */
export async function meetLastMoments(race: Race): Promise<readonly RacingMachine[]> {
  const numbers = Array.from({ length: MACHINES }, (_, number) => number);
  const machines = numbers.map((number) => new RacingMachine(race, number));
  await all(machines, (machine) => machine.activate());
  for (let end = 0; end < ENDS; end += 1) {
    await all(machines.filter(isHolder), (machine) => machine.beat());
    const holders = machines.filter(isHolder);
    const others = machines.filter((machine) => !isHolder(machine));
    const ends = holders.map(({ leaseEndsAt }) => leaseEndsAt);
    const first = Math.min(performance.now() + race.lease, ...ends);
    await Promise.all([
      all(holders, (machine) => machine.beatAtLast()),
      all(others, async (machine) => {
        const at = first + race.random.between(0, WITHIN);
        await setTimeout(Math.max(0, at - performance.now()));
        return machine.activate();
      }),
    ]);
    await all(machines, (machine) => machine.validate());
  }
  return machines;
}

const all = (
  machines: readonly RacingMachine[],
  work: (machine: RacingMachine) => Promise<boolean>,
) => Promise.all(machines.map(work));

const isHolder = ({ calls }: RacingMachine) => calls.at(-1)!.outcome === 'seat';
