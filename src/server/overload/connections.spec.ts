import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Config } from '../../shared/config/config.js';
import { EventLoop } from './event-loop.js';
import { Connections, MAX_PIPELINED } from './connections.js';

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
  const open = async (count: number, localAddress: string) => {
    const opened: net.Socket[] = [];
    for (let i = 0; i < count; i++) opened.push(await connect(localAddress));
    return opened;
  };
  /** Whether a connection is served: a request on it comes through. */
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

  it('closes those beyond the maximum at once, and takes new ones when others have gone', async () => {
    await start({ maxConnections: 10 });
    const [first] = await open(5, '127.0.0.2');
    await open(5, '127.0.0.3');
    const [excess] = await open(1, '127.0.0.4');
    await once(excess!, 'close');
    expect(connections.takeClosed()).toBe(1);
    expect(connections.takeClosed()).toBe(0);

    const [accepted] = sockets;
    expect(accepted).toBe(first);
    first!.destroy();
    await new Promise<void>((resolve) => {
      const check = () =>
        server.getConnections((_error, count) => (count < 10 ? resolve() : setImmediate(check)));
      check();
    });
    expect(await isServed((await open(1, '127.0.0.4'))[0]!)).toBe(true);
  });

  it('gives one address half of them at most, so that others can connect', async () => {
    await start({ maxConnections: 10 });
    await open(5, '127.0.0.2');
    const [sixth] = await open(1, '127.0.0.2');
    await once(sixth!, 'close');
    expect(await isServed((await open(1, '127.0.0.3'))[0]!)).toBe(true);
  });

  it('gives a trusted proxy all of them', async () => {
    await start({ maxConnections: 10, trustedProxies: ['127.0.0.2'] });
    const opened = await open(10, '127.0.0.2');
    for (const socket of opened) expect(await isServed(socket)).toBe(true);
  });

  it('serves a few requests of a connection that reads no response, rejects one more, and ends there', async () => {
    await start({});
    const [socket] = await open(1, '127.0.0.1');
    socket!.write(REQUEST.repeat(100));
    while (served.length < MAX_PIPELINED) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(served).toHaveLength(MAX_PIPELINED);

    served.forEach((response) => response.end('ok'));
    const responses = await text(socket!);
    expect(responses.match(/HTTP\/1\.1 200 /g)).toHaveLength(MAX_PIPELINED);
    expect(responses.match(/HTTP\/1\.1 429 /g)).toHaveLength(1);
    expect(responses.trimEnd().endsWith('too many\r\n0')).toBe(true);
  });

  it('serves any number of requests of a connection that reads the responses', async () => {
    await start({});
    const [socket] = await open(1, '127.0.0.1');
    for (let i = 0; i < 3 * MAX_PIPELINED; i++) {
      socket!.write(REQUEST);
      while (served.length <= i) await new Promise(setImmediate);
      served[i]!.end('ok');
      await once(socket!, 'data');
    }
    expect(served).toHaveLength(3 * MAX_PIPELINED);
  });
});
