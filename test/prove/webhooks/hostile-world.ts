import { setTimeout } from 'node:timers/promises';
import type { Developer } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { FINGERPRINT } from '../abuse/filled-store.js';
import type { Behaviour, HostileReceivers } from './hostile-receivers.js';

/** The most webhooks of an account. */
const MAX_WEBHOOKS = 20;
/** Each is validated every two seconds. */
const LICENSES = 40;
/** Events of an account whose receivers do not come to an end. */
const STUCK_EVENTS = 10;
/** Pause between two events of the others, in milliseconds. */
const PAUSE = 250;
/** Longest wait for an event of the neighbour, in milliseconds: shorter than an attempt that times out. */
const LONGEST_WAIT = 12_000;
/** Longest wait until the receivers hold requests, in milliseconds. */
const BEGUN_WITHIN = 30_000;

/** The accounts of R14. */
type World = Awaited<ReturnType<typeof createWorld>>;

/** Creates the accounts with their webhooks, and the licenses of a customer. */
export async function createWorld(service: HttpCaller, receivers: HostileReceivers) {
  const addWebhooks = async (user: Developer, behaviour: Behaviour, ...names: string[]) => {
    const created = names.map(async (name) => {
      const fields = { url: `${receivers.url}/${behaviour}/${name}`, types: ['client.created'] };
      return (await service.post('/webhooks', fields, user)).body.webhook._id as string;
    });
    return Promise.all(created);
  };
  const account = () => service.register();
  const vendor = await account();
  const { project } = await service.createLicense(vendor);
  /** Keys of the customer's licenses, which are active. */
  const keys: string[] = [];
  while (keys.length < LICENSES) {
    const license = await service.addLicense(vendor, project);
    await service.activate(license, FINGERPRINT);
    keys.push(license.key);
  }
  const users = { hanging: await account(), byteByByte: await account() };
  const others = { endless: await account(), neighbour: await account() };
  // On MongoDB the response with a webhook waits for a second.
  const [[late]] = await Promise.all([
    addWebhooks(await account(), 'ready', 'late'),
    addWebhooks(
      users.hanging,
      'hanging',
      ...Array.from({ length: MAX_WEBHOOKS }, (_, i) => `${i}`),
    ),
    addWebhooks(users.byteByByte, 'byteByByte', 'one'),
    addWebhooks(others.endless, 'endless', 'one'),
    addWebhooks(others.neighbour, 'ready', 'neighbour'),
  ]);
  return { ...users, ...others, late: late!, keys };
}

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
  { arrivals }: HostileReceivers,
  { neighbour, endless }: World,
  seconds: number,
): Promise<number[]> {
  const sent = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begun = performance.now();
    const users = [neighbour, endless];
    const [client] = await Promise.all(users.map((user) => service.createClient(user)));
    sent.set(client!._id, begun);
    await setTimeout(PAUSE);
  }
  const isLate = () => performance.now() > end + LONGEST_WAIT;
  const haveAll = () => [...sent.keys()].every((id) => arrivals.has(id));
  while (!haveAll() && !isLate()) await setTimeout(20);
  return [...sent].map(([id, begun]) => (arrivals.get(id) ?? Infinity) - begun);
}
