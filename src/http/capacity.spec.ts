import { once } from 'node:events';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { NO_METRICS } from '../metrics/metrics.js';
import type { Config } from '../shared/config/config.js';
import { BOUNDS as SHIPPED, Capacity, Connections } from './capacity.js';
import { sendError } from './error.filter.js';
import { RejectionMetrics } from './rejection-metrics.js';

const BOUNDS = {
  licenseChecks: { all: 2, ofAddress: 2, ofAccount: 2 },
  passwords: { all: 2, ofAddress: 1, ofAccount: 1 },
  webhookUrls: { all: 2, ofAddress: 1, ofAccount: 1 },
  imports: { all: 2, ofAddress: 2, ofAccount: 1 },
  portal: { all: 4, ofAddress: 2, ofAccount: 1 },
  other: { all: 4, ofAddress: 2, ofAccount: 1 },
  healthChecks: undefined,
};
const CONFIG = { limits: {}, maxConnections: 100, corsOrigins: [] } as unknown as Config;

const [ONE, OTHER, THIRD] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];

describe('Capacity', () => {
  let server: FastifyInstance;
  let port: number;
  let capacity: Capacity;
  let begun: number;
  let completeAll: () => void;

  beforeEach(async () => {
    begun = 0;
    capacity = new Capacity(BOUNDS);
    server = fastify({ forceCloseConnections: true });
    server.setErrorHandler(sendError);
    const metrics = new RejectionMetrics(NO_METRICS, CONFIG);
    new Connections(CONFIG, metrics).register(server);
    capacity.register(server, metrics, CONFIG);
    const untilAll = new Promise<void>((resolve) => (completeAll = resolve));
    const work = async () => {
      begun += 1;
      await untilAll;
      return 'done';
    };
    server.get('/work', work);
    server.get('/accounts/:accountId', async (request) => {
      capacity.admitAccount(request, (request.params as { accountId: string }).accountId);
      return work();
    });
    server.get('/health', { config: { workClass: 'healthChecks' } }, async () => 'done');
    server.post('/check', { config: { workClass: 'licenseChecks' } }, async () => 'done');
    port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterEach(async () => {
    completeAll();
    await server.close();
  });

  const open = (path: string, from: string, method = 'GET') =>
    http
      .request({ port, path, method, localAddress: from, agent: false })
      .on('error', () => undefined);
  const send = async (path: string, from: string, method?: string) => {
    const sent = open(path, from, method).end();
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    return response.resume().statusCode;
  };
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise(setImmediate);
  };
  /** Starts a request that stays in progress until {@link completeAll}. */
  const begin = async (from: string, path = '/work') => {
    const before = begun;
    const response = send(path, from);
    await until(() => begun > before);
    return { response };
  };

  it('gives an address or account at most a quarter of each class', () => {
    for (const { all, ofAddress, ofAccount } of Object.values(SHIPPED).flatMap(
      (one) => one ?? [],
    )) {
      expect(Math.max(ofAddress, ofAccount)).toBeLessThanOrEqual(all / 4);
    }
  });

  it('rejects an address that uses up its share of a class, and everyone once the class is full', async () => {
    const { response } = await begin(ONE);
    await begin(ONE);
    expect(await send('/work', ONE)).toBe(429);
    await begin(OTHER);
    await begin(OTHER);
    for (const path of ['/work', '/%77ork', '/nowhere']) expect(await send(path, THIRD)).toBe(503);
    expect(await send('/check', THIRD, 'POST')).toBe(200);
    expect(await send('/health', THIRD)).toBe(200);

    completeAll();
    expect(await response).toBe(200);
    await until(() => capacity.size === 0);
    expect(await send('/work', THIRD)).toBe(200);
  });

  it('rejects an account that uses up its share of a class, across all its addresses, and no other account', async () => {
    await begin(ONE, '/accounts/ada');
    expect(await send('/accounts/ada', OTHER)).toBe(429);
    await begin(OTHER, '/accounts/bob');
  });

  it("rejects an access token that uses up an account's share, before the account is known", async () => {
    const work = (from: string, token: string) => {
      const request = open('/work', from).setHeader('Authorization', token);
      return once(request.end(), 'response') as Promise<[http.IncomingMessage]>;
    };
    void work(ONE, 'Bearer a');
    await until(() => begun === 1);
    const [rejected] = await work(OTHER, 'Bearer a');
    expect(rejected.resume().statusCode).toBe(429);
    void work(OTHER, 'Bearer b');
    await until(() => begun === 2);
  });

  it('does not count a request whose body is still being sent', async () => {
    const request = open('/check', ONE, 'POST').setHeader('Content-Length', 10);
    const arrived = once(server.server, 'request');
    request.flushHeaders();
    await arrived;
    expect(capacity.size).toBe(0);
    request.destroy();
  });

  it('counts a request until its work is done, even if the caller has disconnected', async () => {
    const accepted = once(server.server, 'connection');
    const request = open('/work', ONE).end();
    await until(() => begun === 1);
    const [socket] = (await accepted) as [Socket];
    request.destroy();
    await once(socket, 'close');
    expect(capacity.size).toBe(2);

    completeAll();
    await until(() => capacity.size === 0);
  });

  it('releases the slots of pipelined requests whose connection closed before they got a response', async () => {
    const caller = connect(port, ONE);
    for (const path of ['/work', '/health', '/nowhere']) {
      caller.write(`GET ${path} HTTP/1.1\r\nHost: licenses.example\r\n\r\n`);
    }
    await until(() => begun === 1 && capacity.size === 2);
    caller.destroy();
    completeAll();

    await until(() => capacity.size === 0);
  });
});
