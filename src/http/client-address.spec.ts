import type { FastifyRequest } from 'fastify';
import { addressOf } from './client-address.js';

it.each([
  ['IPv4', '203.0.113.7', '203.0.113.7'],
  ['IPv4 with a port', '203.0.113.7:443', '203.0.113.7'],
  ['IPv6, by its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['IPv6 with a port', '[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['IPv6 with a zone', 'fe80::1%br-lan.7', 'fe80::/64'],
  ['the loopback IPv6', '::1', '::1'],
  ['an invalid address: the peer address', 'unknown', '198.51.100.1'],
  ['IPv4-mapped IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
])('addressOf, used by rate limits, handles %s', (_case, ip, address) => {
  const socket = { remoteAddress: '198.51.100.1' };
  expect(addressOf({ ip, socket } as FastifyRequest)).toBe(address);
});
