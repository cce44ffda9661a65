import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isIn } from '../../http/client-address.js';

const IPV6_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is global unicast: not loopback, private, link-local, shared (100.64/10), multicast, unspecified, reserved or
 * documentation, and not an IPv6 address that embeds an IPv4 one (mapped, NAT64, 6to4, Teredo).
 */
export function isPublic(address: string): boolean {
  const ip = ipaddr.parse(address);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(IPV6_UNICAST));
}

/** Names of this machine or its network. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal)$/;

/** The host of a URL for resolution: IPv6 addresses without brackets, names without the root dot. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '');

/**
 * The reason to reject a URL, regardless of the address it resolves to; null if it is allowed.
 *
 * @param networks non-public addresses and networks that are also allowed
 */
export function urlProblem(text: string, networks: readonly string[]): string | null {
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  const isPlain = url.protocol === 'http:' && networks.length > 0;
  if (url.protocol !== 'https:' && !isPlain) return 'must start with https://';
  if (url.username || url.password) return 'must not contain a user name or password';
  const port = Number(url.port || (isPlain ? 80 : 443));
  if (port < 1024 && port !== 443 && !(port === 80 && networks.length > 0)) {
    return 'must use port 443 or a port of 1024 or higher';
  }
  const host = hostOf(url);
  if (ipaddr.isValid(host)) {
    return isAllowed(url, host, networks) ? null : 'must have a public IP address';
  }
  return host.includes('.') && !LOCAL_NAME.test(host) ? null : 'must have a public host name';
}

/** Whether a URL may be requested at an address. */
export function isAllowed(url: URL, address: string, networks: readonly string[]): boolean {
  if (isIn(networks, address)) return true;
  return url.protocol === 'https:' && url.port !== '80' && isPublic(address);
}

/** How long to wait before asking the name servers a second time, in milliseconds. */
const SECOND_QUERY = 1_500;

/**
 * All addresses of a URL, IPv4 first; empty if its name does not resolve in time. DNS uses no thread of the process, so a hanging
 * name server blocks no other work.
 */
export async function addressesOf(url: URL, signal: AbortSignal): Promise<string[]> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return [host];
  const resolver = new Resolver({ timeout: SECOND_QUERY, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}
