import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Config } from '../../shared/config/config.js';
import { Connections, MAX_PIPELINED } from './connections.js';
import { RequestQueues } from './request-queues.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: licenses.example\r\n\r\n';
const HALF_A_BODY = REQUEST.replace('GET', 'POST').replace(
  '\r\n\r\n',
  '\r\nContent-Length: 2\r\n\r\n{',
);

describe('Connections', () => {
  let server: http.Server;
  let connections: Connections;
  let sockets: net.Socket[];
  let served: http.ServerResponse[];

  const start = async (config: Partial<Config>) => {
    const limits = { trustedProxies: [], maxConnections: 10, ...config } as Config;
    connections = new Connections(limits, new RequestQueues());
    served = [];
    sockets = [];
    server = http.createServer((_request, response) => {
      const verdict = connections.begin(response);
      if (verdict === 'serve') served.push(response);
      if (verdict === 'reject') response.writeHead(429, { Connection: 'close' }).end('too many');
    });
    connections.bound(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  afterEach(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });

  const connect = async (localAddress: string) => {
    const { port } = server.address() as AddressInfo;
    const socket = net.connect({ host: '127.0.0.1', port, localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const connectTimes = async (count: number, localAddress: string) => {
    for (let i = 0; i < count; i++) await connect(localAddress);
  };
  /** Whether a request on a connection is served; otherwise the connection is closed. */
  const isServed = async (socket: net.Socket) => {
    const before = served.length;
    socket.write(REQUEST);
    const closed = once(socket, 'close').then(() => false);
    const through = (async () => {
      while (served.length === before) await new Promise(setImmediate);
      return true;
    })();
    return Promise.race([through, closed]);
  };

  it('serves a customer while two addresses open as many connections as they can', async () => {
    await start({ maxConnections: 32 });
    await Promise.all(['127.0.0.2', '127.0.0.3'].map((address) => connectTimes(32, address)));
    for (let i = 0; i < 3; i++) expect(await isServed(await connect('127.0.0.4'))).toBe(i < 2);
    expect(connections.takeClosed()).toBe(61);
    expect(connections.takeClosed()).toBe(0);
  });

  it.each([
    ['nothing', ''],
    ['half a head', REQUEST.slice(0, -2)],
    ['half a body', HALF_A_BODY],
  ])(
    'for a new connection, closes the oldest that has sent %s, of the address with most of them',
    async (_what, sent) => {
      await start({ maxConnections: 18 });
      const [idle, busy] = [await connect('127.0.0.2'), await connect('127.0.0.3')];
      expect(await isServed(busy)).toBe(true);
      for (let i = 0; i < 16; i++) {
        const stuck = await connect(`127.0.1.${Math.floor(i / 2)}`);
        await new Promise((resolve) => stuck.write(sent, resolve));
      }
      while (sent === HALF_A_BODY && served.length < 17) await new Promise(setImmediate);

      const closed = once(sockets[2]!, 'close');
      expect(await isServed(await connect('127.0.0.4'))).toBe(true);
      await closed;
      expect(connections.takeClosed()).toBe(1);
      expect(await isServed(busy)).toBe(true);
      expect(await isServed(idle)).toBe(true);
    },
  );

  it('counts the addresses of an IPv6 /64 as one', () => {
    const bounded = new EventEmitter();
    const limits = { trustedProxies: [], maxConnections: 16 };
    connections = new Connections(limits as unknown as Config, new RequestQueues());
    connections.bound(bounded as http.Server);
    const destroy = jest.fn<void, [string]>();
    for (const remoteAddress of ['2001:db8::1', '2001:db8::ffff:1', '2001:db8:0:1::1']) {
      const socket = { remoteAddress, destroy: () => destroy(remoteAddress) };
      bounded.emit('connection', Object.assign(new EventEmitter(), socket));
    }
    expect(destroy.mock.calls).toEqual([['2001:db8::ffff:1']]);
  });

  it('allows a trusted proxy as many connections as the maximum', async () => {
    await start({ maxConnections: 10, trustedProxies: ['127.0.0.2'] });
    await connectTimes(10, '127.0.0.2');
    for (const socket of sockets) expect(await isServed(socket)).toBe(true);
    await once(await connect('127.0.0.2'), 'close');
    await once(await connect('127.0.0.3'), 'close');

    sockets[0]!.destroy();
    while (!(await isServed(await connect('127.0.0.3'))));
  });

  it('serves a few requests of a connection that reads no response, rejects the next, and closes it', async () => {
    await start({});
    const socket = await connect('127.0.0.1');
    socket.write(REQUEST.repeat(100));
    while (served.length < MAX_PIPELINED) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(served).toHaveLength(MAX_PIPELINED);

    served.forEach((response) => response.end('ok'));
    const responses = await text(socket);
    expect(responses.match(/HTTP\/1\.1 200 /g)).toHaveLength(MAX_PIPELINED);
    expect(responses.match(/HTTP\/1\.1 429 /g)).toHaveLength(1);
    expect(responses.trimEnd().endsWith('too many\r\n0')).toBe(true);
  });
});
