import type { FastifyRequest } from 'fastify';
import { addressOf } from './client-address.js';

it.each([
  ['IPv4', '203.0.113.7', '203.0.113.7'],
  ['IPv4 with a port', '203.0.113.7:443', '203.0.113.7'],
  ['IPv6, by its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['IPv6 with a port', '[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['IPv6 with a zone', 'fe80::1%br-lan.7', 'fe80::/64'],
  ['the loopback IPv6', '::1', '::1'],
  ['an invalid address: that of the peer', 'unknown', '198.51.100.1'],
  // IPv6 that embeds IPv4.
  ['IPv4-mapped IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
  ['NAT64', '64:ff9b::203.0.113.7', '203.0.113.7'],
  ['local-use NAT64, with another prefix of 96 bits', '64:ff9b:1:fffe::cb00:7107', '203.0.113.7'],
  ['local-use NAT64, with the prefix of 48 bits', '64:ff9b:1:cb00:71:700::', '203.0.113.7'],
  ['6to4 of any of its 65,536 networks', '2002:cb00:7107:abcd:1:2:3:4', '203.0.113.7'],
  ['what is almost NAT64', '64:ff9b:0:0:0:1:cb00:7107', '64:ff9b::/64'],
  ['what is almost local-use NAT64', '64:ff9b:2::cb00:7107', '64:ff9b:2::/64'],
])('addressOf, by which rate limits count, returns that of %s', (_case, ip, address) => {
  const socket = { remoteAddress: '198.51.100.1' };
  expect(addressOf({ ip, socket } as FastifyRequest)).toBe(address);
});
