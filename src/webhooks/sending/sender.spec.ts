import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Config } from '../../shared/config/config.js';
import { Sender } from './sender.js';

const NAME = 'receiver.example';
const NEVER = new AbortController().signal;
const timeout = AbortSignal.timeout.bind(AbortSignal);

describe('Sender', () => {
  const seen: string[] = [];
  let respond: (response: http.ServerResponse) => void;
  const server = http.createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host} ${request.url}`);
    request.resume().on('end', () => respond(response));
  });
  let port: number;
  beforeAll(async () => {
    port = await listen(server);
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  let resolve4: jest.SpyInstance;
  beforeEach(() => {
    seen.length = 0;
    respond = (response) => response.end();
    resolve4 = jest.spyOn(Resolver.prototype, 'resolve4');
    jest.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('ENODATA'));
    resolvesTo(['127.0.0.1']);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Sets the name's addresses for each lookup; the last one applies to all further lookups. */
  const resolvesTo = (...lookUps: string[][]) =>
    resolve4.mockImplementation(async (host: string) => {
      expect(host).toBe(NAME);
      return lookUps.length > 1 ? lookUps.shift() : lookUps[0];
    });
  const shorten = (one: number, milliseconds: number) =>
    jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((each) => timeout(each === one ? milliseconds : each));
  const sender = (networks = ['127.0.0.1']) =>
    new Sender({ webhookNetworks: networks } as unknown as Config);
  const urlOf = (protocol: 'http' | 'https') => `${protocol}://${NAME}:${port}/hook`;
  const send = (by = sender(), url = urlOf('http'), signal = NEVER) =>
    by.send(url, { 'webhook-id': 'x' }, '{}', signal);
  const errorOf = async (by?: Sender, url?: string) => (await send(by, url))!.error;

  it('sends to the checked address, with the host name of the URL', async () => {
    expect(await send()).toEqual({ responseStatus: 200, response: '', error: null });
    expect(seen).toEqual([`POST ${NAME}:${port} /hook`]);
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['a public and a private one', ['8.8.8.8', '192.168.0.1']],
  ])('S26: rejects a name that resolves to %s, stored and at each attempt', async (_what, all) => {
    resolvesTo(all);
    const by = sender([]);
    expect(await by.urlProblem(urlOf('https'))).toBe('must resolve only to public IP addresses');
    expect(await errorOf(by, urlOf('https'))).toBe('address_not_allowed');
    expect(seen).toEqual([]);
  });

  it('S26: resolves a name once per attempt, so a changed name cannot redirect it', async () => {
    resolvesTo(['8.8.8.8'], ['127.0.0.1'], ['10.0.0.1']);
    const by = sender();
    expect(await by.urlProblem(urlOf('https'))).toBeNull();
    expect((await send(by))!.responseStatus).toBe(200);
    expect(await errorOf(by)).toBe('address_not_allowed');
    expect(seen).toHaveLength(1);
  });

  it('accepts a name that does not resolve in time, and fails its attempts', async () => {
    resolvesTo([]);
    expect(await sender().urlProblem(urlOf('http'))).toBeNull();
    expect(await errorOf()).toBe('name_not_resolved');
    resolve4.mockImplementation(function (this: Resolver) {
      return new Promise((_, reject) => (this.cancel = () => reject(new Error())));
    });
    shorten(3_000, 20);
    const failed = { responseStatus: null, response: null, error: 'name_not_resolved' };
    expect(await send()).toEqual(failed);
  });

  it('S26: follows neither redirects nor environment proxies', async () => {
    const proxy = `http://127.0.0.1:${port}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy'];
    const proxies = Object.fromEntries(names.map((name) => [name, proxy]));
    const env = jest.replaceProperty(process, 'env', { ...proxies, NODE_USE_ENV_PROXY: '1' });
    try {
      respond = (response) => response.writeHead(302, { location: `${proxy}/elsewhere` }).end();
      expect(await errorOf()).toBe('redirect');
      expect(await errorOf(sender(), urlOf('https'))).toBe('tls_failed');
      expect(seen).toEqual([`POST ${NAME}:${port} /hook`]);
    } finally {
      env.restore();
    }
  });

  it.each([
    [299, null],
    [300, 'redirect'],
    [399, 'redirect'],
    [400, 'unexpected_status'],
  ])('treats the status %i as %s', async (status, error) => {
    respond = (response) => response.writeHead(status).end();
    expect(await send()).toMatchObject({ responseStatus: status, error });
  });

  it('reads only 4 KiB of an endless body and stores 256 bytes', async () => {
    let written = 0;
    const closed = new Promise((resolve) => {
      respond = (response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(1024))) written += 1;
        };
        response.on('drain', more).on('close', resolve);
        more();
      };
    });
    expect(await send()).toMatchObject({ response: 'x'.repeat(256), error: null });
    await closed;
    expect(written).toBeLessThan(16 * 1024);
  });

  it('stores only text: no cut-off character and no control characters', async () => {
    respond = (response) => response.end(`a\0\x1b\n${'ä'.repeat(200)}`);
    expect((await send())!.response).toBe(`a\ufffd\ufffd\n${'ä'.repeat(126)}`);
  });

  it('gives up on a receiver that hangs or sends an endless body byte by byte', async () => {
    respond = () => undefined;
    shorten(15_000, 50);
    expect(await send()).toEqual({ responseStatus: null, response: null, error: 'timeout' });
    respond = (response) => response.write('x');
    // A busy machine may take a while to reach the headers.
    shorten(15_000, 1_000);
    expect(await send()).toEqual({ responseStatus: 200, response: 'x', error: null });
  });

  it('gives up an attempt when the service stops', async () => {
    const stopping = new AbortController();
    respond = () => stopping.abort();
    expect(await send(sender(), urlOf('http'), stopping.signal)).toBeNull();
  });

  it('distinguishes an invalid HTTP response from no response, in fixed words', async () => {
    const other = createServer((socket) => socket.resume().end('SSH-2.0-server\r\n'));
    const url = `http://${NAME}:${await listen(other)}/`;
    expect(await errorOf(sender(), url)).toBe('invalid_response');
    await new Promise((resolve) => other.close(resolve));
    expect(await errorOf(sender(), url)).toBe('connection_failed');
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
