import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Config } from '../../shared/config/config.js';
import { Connections, MAX_PIPELINED } from './connections.js';
import { EventLoop } from './event-loop.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: licenses.example\r\n\r\n';

describe('Connections', () => {
  let server: http.Server;
  let connections: Connections;
  let sockets: net.Socket[];
  let served: http.ServerResponse[];

  const start = async (config: Partial<Config>) => {
    const limits = { trustedProxies: [], maxConnections: 10, ...config } as Config;
    connections = new Connections(limits, new EventLoop());
    served = [];
    sockets = [];
    server = http.createServer((request, response) => {
      const verdict = connections.begin(request, response);
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

  it('closes connections beyond the maximum at once, and accepts new ones after others have ended', async () => {
    await start({ maxConnections: 10 });
    await connectTimes(5, '127.0.0.2');
    await connectTimes(5, '127.0.0.3');
    await once(await connect('127.0.0.4'), 'close');
    expect(connections.takeClosed()).toBe(1);
    expect(connections.takeClosed()).toBe(0);

    sockets[0]!.destroy();
    await new Promise<void>((resolve) => {
      const check = () =>
        server.getConnections((_error, count) => (count < 10 ? resolve() : setImmediate(check)));
      check();
    });
    expect(await isServed(await connect('127.0.0.4'))).toBe(true);
  });

  it('closes connections of one address beyond half of the maximum, so that others can connect', async () => {
    await start({ maxConnections: 10 });
    await connectTimes(5, '127.0.0.2');
    await once(await connect('127.0.0.2'), 'close');
    expect(await isServed(await connect('127.0.0.3'))).toBe(true);
  });

  it('allows a trusted proxy as many connections as the maximum', async () => {
    await start({ maxConnections: 10, trustedProxies: ['127.0.0.2'] });
    await connectTimes(10, '127.0.0.2');
    for (const socket of sockets) expect(await isServed(socket)).toBe(true);
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
