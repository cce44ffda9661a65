import pLimit from 'p-limit';
import {
  activate,
  addLicense,
  createLicense,
  type Developer,
  registerDeveloper,
} from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { FINGERPRINT } from '../abuse/filled-store.js';
import type { Behaviour, HostileReceivers } from './hostile-receivers.js';

/** The most webhooks of an account. */
const MAX_WEBHOOKS = 20;
/** Webhooks of an account that are created at once. */
const AT_ONCE = 4;
/** Each is validated every two seconds. */
const LICENSES = 40;

/** The accounts of R14. */
export interface World {
  readonly hanging: Developer;
  readonly byteByByte: Developer;
  readonly endless: Developer;
  readonly neighbour: Developer;
  /** The webhook that gets the backlog. */
  readonly late: string;
  /** Keys of the customer's licenses, which are active. */
  readonly keys: readonly string[];
}

/** Creates the accounts with their webhooks, and the licenses of a customer. */
export async function createWorld(
  service: HttpCaller,
  receivers: HostileReceivers,
): Promise<World> {
  const account = async (behaviour: Behaviour, name: string, count = 1) => {
    const user = await registerDeveloper(service);
    const inTurns = pLimit(AT_ONCE);
    const create = async (index: number) => {
      const url = receivers.urlOf(behaviour, count > 1 ? `${name}-${index}` : name);
      const fields = { url, types: ['client.created'] };
      return (await service.post('/webhooks', fields, user)).body.webhook._id as string;
    };
    return { user, webhooks: await inTurns.map(Array.from({ length: count }).keys(), create) };
  };
  const vendor = await registerDeveloper(service);
  const { project } = await createLicense(service, vendor);
  const keys: string[] = [];
  while (keys.length < LICENSES) {
    const license = await addLicense(service, vendor, project);
    await activate(service, license, FINGERPRINT);
    keys.push(license.key);
  }
  const { webhooks } = await account('ready', 'late');
  return {
    hanging: (await account('hanging', 'one', MAX_WEBHOOKS)).user,
    byteByByte: (await account('byteByByte', 'one')).user,
    endless: (await account('endless', 'one')).user,
    neighbour: (await account('ready', 'neighbour')).user,
    late: webhooks[0]!,
    keys,
  };
}
