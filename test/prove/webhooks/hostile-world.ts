import type { HttpCaller } from '../../http-caller.js';
import { FINGERPRINT } from '../abuse/filled-store.js';
import type { Behaviour, HostileReceivers } from './hostile-receivers.js';

/** The most webhooks of an account. */
const MAX_WEBHOOKS = 20;
/** Each is validated every two seconds. */
const LICENSES = 40;

/** The accounts of R14. */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** Creates the accounts with their webhooks, and the licenses of a customer. */
export async function createWorld(service: HttpCaller, receivers: HostileReceivers) {
  const account = async (behaviour: Behaviour, name: string, count = 1) => {
    const user = await service.register();
    const create = async (index: number) => {
      const url = receivers.urlOf(behaviour, count > 1 ? `${name}-${index}` : name);
      const fields = { url, types: ['client.created'] };
      return (await service.post('/webhooks', fields, user)).body.webhook._id as string;
    };
    return {
      user,
      webhooks: await Promise.all(Array.from({ length: count }, (_, i) => create(i))),
    };
  };
  const vendor = await service.register();
  const { project } = await service.createLicense(vendor);
  const keys: string[] = [];
  while (keys.length < LICENSES) {
    const license = await service.addLicense(vendor, project);
    await service.activate(license, FINGERPRINT);
    keys.push(license.key);
  }
  // On MongoDB the response with a webhook waits for a second.
  const [hanging, byteByByte, endless, neighbour, late] = await Promise.all([
    account('hanging', 'one', MAX_WEBHOOKS),
    account('byteByByte', 'one'),
    account('endless', 'one'),
    account('ready', 'neighbour'),
    account('ready', 'late'),
  ]);
  return {
    hanging: hanging.user,
    byteByByte: byteByByte.user,
    endless: endless.user,
    neighbour: neighbour.user,
    /** The webhook that gets the backlog. */
    late: late.webhooks[0]!,
    /** Keys of the customer's licenses, which are active. */
    keys: keys as readonly string[],
  };
}
