import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';

/** Milliseconds in which a name is resolved for an attempt. */
const TIMEOUT = 3_000;

/** Resolves names by DNS, without the threads of the process: a name whose server hangs keeps no other work waiting. */
@Injectable()
export class AddressResolver {
  /** All addresses of a name, those of IPv4 first; of an address itself. None where it has none, or not in time. */
  async resolve(host: string, milliseconds = TIMEOUT): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    const resolver = new Resolver({ timeout: milliseconds / 2, tries: 2 });
    const timer = setTimeout(() => resolver.cancel(), milliseconds);
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    clearTimeout(timer);
    return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  }
}
