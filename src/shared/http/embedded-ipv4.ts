import ipaddr from 'ipaddr.js';

/** Any text form of the networks below; most IPv6 addresses are of none, and need not be parsed. */
const MAY_EMBED = /^(0{0,2}64:ff9b|2002):/i;

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');

/**
 * The IPv4 address that an IPv6 address stands for: by NAT64 (RFC 6052, RFC 8215) or 6to4
 * (RFC 3056). Undefined for any other.
 */
export function embeddedIpv4(ip: string): string | undefined {
  if (!MAY_EMBED.test(ip) || !ipaddr.IPv6.isValid(ip)) return undefined;
  const address = ipaddr.IPv6.parse(ip);
  const bytes = address.toByteArray();
  if (address.match(SIX_TO_FOUR)) return bytes.slice(2, 6).join('.');
  if (address.match(NAT64)) return bytes.slice(12).join('.');
  if (address.match(LOCAL_NAT64)) return localNat64(bytes).join('.');
  return undefined;
}

/** Networks choose the length of their prefix here: 96 bits, or 48, which leave the last bytes 0. */
function localNat64(bytes: number[]): number[] {
  const endsInZeros = bytes.slice(12).every((byte) => byte === 0);
  return endsInZeros ? [...bytes.slice(6, 8), ...bytes.slice(9, 11)] : bytes.slice(12);
}
