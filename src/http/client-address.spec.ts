import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { addressOf, warnOfUntrustedProxy } from './client-address.js';

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

describe('warnOfUntrustedProxy', () => {
  /** The server's warnings after requests with X-Forwarded-For from these peers. */
  async function warningsAfter(
    peers: string[],
    { trustProxy = [] as string[], forwardedFor = '198.51.100.7' } = {},
  ): Promise<string[]> {
    const log: string[] = [];
    const server = fastify({
      loggerInstance: pino({ level: 'warn' }, { write: (line) => log.push(line) }),
      trustProxy: trustProxy.length > 0 && trustProxy,
    }) as unknown as FastifyInstance;
    warnOfUntrustedProxy(server, trustProxy);
    server.get('/', () => 'ok');
    for (const remoteAddress of peers) {
      const headers = forwardedFor ? { 'x-forwarded-for': forwardedFor } : {};
      await server.inject({ url: '/', remoteAddress, headers });
    }
    return log.map((line) => (JSON.parse(line) as { msg: string }).msg);
  }

  const warningOf = (peer: string) =>
    `X-Forwarded-For from ${peer} is not trusted, so everyone behind it shares one rate limit. ` +
    `If it is your proxy, set TRUSTED_PROXIES=${peer}.`;

  it.each([
    ['loopback', '127.0.0.1'],
    ['private network', '10.1.2.3'],
    ['private network on a dual-stack socket', '::ffff:192.168.1.1'],
    ['unique local network', 'fd00::5'],
    ['link-local network', 'fe80::5'],
    ["carrier's network", '100.64.0.9'],
  ])('warns once about a proxy on the %s, and names the variable to set', async (_name, peer) => {
    expect(await warningsAfter([peer, peer])).toEqual([warningOf(peer)]);
  });

  it('warns about an untrusted proxy among trusted ones', async () => {
    const trustProxy = ['10.0.0.0/30'];
    expect(await warningsAfter(['10.0.0.1', '10.0.0.9'], { trustProxy })).toEqual([
      warningOf('10.0.0.9'),
    ]);
  });

  it.each([
    ['the last address of a trusted network', '10.255.255.255', { trustProxy: ['10.0.0.0/8'] }],
    ['a trusted proxy on a dual-stack socket', '::ffff:10.0.0.1', { trustProxy: ['10.0.0.0/8'] }],
    ['a public address, from which anyone may send the header', '203.0.113.5', {}],
    ['a request without X-Forwarded-For', '10.0.0.1', { forwardedFor: '' }],
  ])('does not warn about %s', async (_case, peer, options) => {
    expect(await warningsAfter([peer], options)).toEqual([]);
  });
});
