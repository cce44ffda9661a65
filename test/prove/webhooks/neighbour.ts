import { setTimeout } from 'node:timers/promises';
import type { HttpCaller } from '../../http-caller.js';
import type { HostileReceivers } from './hostile-receivers.js';
import type { World } from './hostile-world.js';

/** Events of an account whose receivers do not come to an end. */
const STUCK_EVENTS = 10;
/** Pause between two events of the others, in milliseconds. */
const PAUSE = 250;
/** Longest wait for an event of the neighbour, in milliseconds: shorter than an attempt that times out. */
const LONGEST_WAIT = 12_000;
/** Longest wait until the receivers hold requests, in milliseconds. */
const BEGUN_WITHIN = 30_000;

/** Gives the hostile receivers their first messages, and waits until they hold requests. */
export async function beginHolding(
  service: HttpCaller,
  { seen }: HostileReceivers,
  { hanging, byteByByte }: World,
): Promise<void> {
  for (let i = 0; i < STUCK_EVENTS; i++) {
    await Promise.all([hanging, byteByByte].map((user) => service.createClient(user)));
  }
  const end = performance.now() + BEGUN_WITHIN;
  const areHeld = () => seen.hanging.open > 0 && seen.byteByByte.open > 0 && seen.ready.count > 0;
  while (!areHeld() && performance.now() < end) await setTimeout(20);
}

/**
 * Makes events of the neighbour, and of the account whose receiver sends without an end, for some seconds.
 *
 * @returns the milliseconds from each request of the neighbour until its event had arrived; Infinity where it did not in time
 */
export async function timeNeighbour(
  service: HttpCaller,
  { neighbour, endless }: World,
  arrivals: ReadonlyMap<string, number>,
  seconds: number,
): Promise<number[]> {
  const sent = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begun = performance.now();
    const [{ _id }] = await Promise.all([
      service.createClient(neighbour),
      service.createClient(endless),
    ]);
    sent.set(_id, begun);
    await setTimeout(PAUSE);
  }
  const isLate = () => performance.now() > end + LONGEST_WAIT;
  const haveAll = () => [...sent.keys()].every((id) => arrivals.has(id));
  while (!haveAll() && !isLate()) await setTimeout(20);
  return [...sent].map(([id, begun]) => (arrivals.get(id) ?? Infinity) - begun);
}
