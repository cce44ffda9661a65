import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../../shared/config/config.js';
import { NO_METRICS } from '../../metrics/metrics.js';
import type { GracefulShutdown } from '../graceful-shutdown.js';
import { RejectionMetrics } from '../rejection-metrics.js';
import { Connections } from './connections.js';
import { LoadShedder } from './load-shedder.js';
import { RequestQueues } from './request-queues.js';
import { WorkClasses } from './work-class.js';

describe('LoadShedder', () => {
  let server: FastifyInstance;
  let url: string;
  let classes: WorkClasses;
  let shedder: LoadShedder;
  let queues: RequestQueues;
  let shutdown: { hasBegun: boolean };
  let begun: string[];
  let completeAll: () => void;

  beforeEach(async () => {
    begun = [];
    classes = new WorkClasses();
    server = fastify();
    const limits = { corsOrigins: [], trustedProxies: [], limits: {}, maxConnections: 5000 };
    const config = limits as unknown as Config;
    queues = new RequestQueues();
    shutdown = { hasBegun: false };
    shedder = new LoadShedder(
      config,
      queues,
      new Connections(config, queues),
      classes,
      shutdown as GracefulShutdown,
      new RejectionMetrics(NO_METRICS, config),
    );
    shedder.protect(server);
    server.addHook('onRequest', async ({ url }) => void begun.push(url));
    const untilAll = new Promise<void>((resolve) => (completeAll = resolve));
    server.get('/slow', async () => {
      await untilAll;
      return 'done';
    });
    server.get('/fast', async () => 'done');
    server.post('/check', { config: { workClass: 'licenseChecks' } }, async () => 'checked');
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    completeAll();
    await server.close();
    shedder.onApplicationShutdown();
    jest.restoreAllMocks();
  });

  const untilInProgress = async (requests: number) => {
    while (classes.other.inProgress !== requests) await new Promise(setImmediate);
  };

  it('drops a waiting request whose caller has disconnected, and frees its capacity', async () => {
    const handles: (() => void)[] = [];
    jest.spyOn(queues, 'add').mockImplementation((_queue, handle) => void handles.push(handle));
    const isClosed = new Promise<void>((resolve) => {
      server.server.once('request', (_request, response: ServerResponse) => {
        response.once('close', resolve);
        caller.destroy();
      });
    });
    const caller = http.get(`${url}/slow`).on('error', () => undefined);
    await isClosed;
    expect(classes.other.waiting).toBe(1);
    handles.forEach((handle) => handle());
    expect(classes.other.waiting).toBe(0);
    expect(begun).toEqual([]);
  });

  it('closes the connection of a rejected request once the shutdown has begun', async () => {
    jest.spyOn(classes.other, 'hasCapacity').mockReturnValue(false);
    shutdown.hasBegun = true;
    expect((await fetch(`${url}/slow`)).headers.get('connection')).toBe('close');
  });

  it('does not count a request whose body is still being sent', async () => {
    const request = http.request(`${url}/check`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 10 },
    });
    request.on('error', () => undefined).flushHeaders();
    while (begun.length === 0) await new Promise(setImmediate);

    expect(classes.licenseChecks.inProgress).toBe(0);
    request.destroy();
  });

  it('admits a request by the class of its route, however its path is spelled', async () => {
    jest.spyOn(classes.licenseChecks, 'isFull').mockReturnValue(true);
    const check = (path: string) => fetch(url + path, { method: 'POST' });
    expect(await (await check('/%63heck')).json()).toMatchObject({ code: 'OVERLOADED' });
    expect(classes.licenseChecks.inProgress).toBe(0);
    jest.restoreAllMocks();
    expect((await check('/%63heck')).status).toBe(200);
  });

  it('counts a request whose caller has disconnected until its work is done', async () => {
    const request = http.get(`${url}/slow`).on('error', () => undefined);
    await untilInProgress(1);
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    expect(classes.other.inProgress).toBe(1);
    completeAll();

    await untilInProgress(0);
  });

  it('gives back what requests hold whose responses never had their turn, as the connection was closed', async () => {
    const accepted = once(server.server, 'connection') as Promise<[Socket]>;
    const caller = connect(Number(new URL(url).port), '127.0.0.1');
    const [served] = await accepted;
    for (const path of ['/slow', '/fast', '/slow']) {
      caller.write(`GET ${path} HTTP/1.1\r\nHost: licenses.example\r\n\r\n`);
    }
    while (begun.length < 3) await new Promise(setImmediate);
    await untilInProgress(2);
    expect(classes.other.addresses.size).toBe(1);
    caller.destroy();
    await once(served, 'close');
    completeAll();

    await untilInProgress(0);
    expect(classes.other.addresses.size).toBe(0);
  });
});
