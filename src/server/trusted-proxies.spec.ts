import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { warnOfUntrustedProxy } from './trusted-proxies.js';

describe('warnOfUntrustedProxy', () => {
  let server: FastifyInstance | undefined;
  afterEach(() => server?.close());

  /** The warnings of a server, after requests from these peers that carry X-Forwarded-For. */
  async function warningsAfter(
    peers: string[],
    { trustProxy = [] as string[], forwardedFor = '198.51.100.7' } = {},
  ): Promise<string[]> {
    const log: string[] = [];
    server = fastify({
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
    `X-Forwarded-For from ${peer} is not trusted, so all its callers share one limit. ` +
    `If it is your proxy, set TRUSTED_PROXIES=${peer}.`;

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback of IPv6', '::1'],
    ['private network', '10.1.2.3'],
    ["Docker's network", '172.17.0.1'],
    ['private network on a dual-stack socket', '::ffff:192.168.1.1'],
    ['unique local network', 'fd00::5'],
    ['link-local network', 'fe80::5'],
    ["carrier's network", '100.64.0.9'],
  ])('names a proxy on the %s, and the variable to set', async (_name, peer) => {
    expect(await warningsAfter([peer])).toEqual([warningOf(peer)]);
  });

  it('warns once, however many requests come', async () => {
    expect(await warningsAfter(['10.0.0.1', '10.0.0.1', '10.0.0.2'])).toEqual([
      warningOf('10.0.0.1'),
    ]);
  });

  it('warns of a proxy beside those that are trusted', async () => {
    const trustProxy = ['10.0.0.0/30'];
    expect(await warningsAfter(['10.0.0.1', '10.0.0.9'], { trustProxy })).toEqual([
      warningOf('10.0.0.9'),
    ]);
  });

  it.each(['10.0.0.1', '10.255.255.255', '::ffff:10.0.0.1'])(
    'is silent about %s where it is trusted',
    async (peer) => {
      expect(await warningsAfter([peer], { trustProxy: ['10.0.0.0/8'] })).toEqual([]);
    },
  );

  it('is silent about a trusted proxy that forwards what it asks itself', async () => {
    const trustProxy = ['127.0.0.1'];
    expect(await warningsAfter(trustProxy, { trustProxy, forwardedFor: '127.0.0.1' })).toEqual([]);
  });

  it.each(['203.0.113.5', '2001:4860::5', '8.8.8.8'])(
    'is silent about the public address %s, where anyone may send the header',
    async (peer) => {
      expect(await warningsAfter([peer])).toEqual([]);
    },
  );

  it('is silent where no request was forwarded', async () => {
    expect(await warningsAfter(['10.0.0.1'], { forwardedFor: '' })).toEqual([]);
  });
});
