import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Exposition } from '../../../test/exposition.js';
import type { Config } from '../../shared/config/config.js';
import { Connections, MAX_PIPELINED } from './connections.js';
import type { GracefulShutdown } from '../graceful-shutdown.js';
import { type Metrics, NO_METRICS } from '../../shared/metrics/metrics.js';
import { PrometheusMetrics } from '../../shared/metrics/prometheus-metrics.js';
import { RejectionMetrics } from '../metrics/rejection-metrics.js';
import { RequestMetrics } from '../metrics/request-metrics.js';
import { RequestLog } from '../request-log.js';
import { EventLoop } from './event-loop.js';
import { LoadShedder } from './load-shedder.js';
import type { WorkClassName } from './work-class.js';
import { WorkClasses } from './work-classes.js';

const ORIGIN = 'https://admin.example.com';
const errorShape = { always: { valid: false } };
const LICENSE_CHECK = { workClass: 'licenseChecks', errorShape } as const;

describe('LoadShedder', () => {
  let server: FastifyInstance;
  let url: string;
  let classes: WorkClasses;
  let shedder: LoadShedder;
  let loop: EventLoop;
  let shutdown: { hasBegun: boolean };
  let lines: string[];
  let metrics: Metrics;
  let begun: string[];
  let completeAll: () => void;
  const reject = (name: WorkClassName = 'other') =>
    jest.spyOn(classes[name], 'tryAdmit').mockReturnValue(false);

  beforeEach(async () => {
    lines = [];
    metrics = new PrometheusMetrics();
    begun = [];
    classes = new WorkClasses(new EventLoop());
    const logger = pino({ level: 'info' }, { write: (line) => lines.push(line) });
    server = fastify({
      loggerInstance: logger,
      logController: new RequestLog(new RequestMetrics(NO_METRICS)),
    }) as unknown as FastifyInstance;
    const config = {
      corsOrigins: [ORIGIN],
      trustedProxies: [],
      limits: {},
      maxConnections: 5000,
    } as unknown as Config;
    loop = new EventLoop();
    shutdown = { hasBegun: false };
    shedder = new LoadShedder(
      config,
      loop,
      new Connections(config, loop),
      classes,
      shutdown as GracefulShutdown,
      new RejectionMetrics(metrics, config),
    );
    shedder.protect(server);
    server.addHook('onRequest', async ({ url }) => void begun.push(url));
    const untilAll = new Promise<void>((resolve) => (completeAll = resolve));
    server.get('/slow', async () => {
      await untilAll;
      return 'done';
    });
    server.get('/live', { config: { isHealthCheck: true } }, async () => 'alive');
    server.post('/marked', async () => 'done');
    server.post('/check', { config: LICENSE_CHECK }, async () => 'checked');
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    completeAll();
    await server.close();
    shedder.onApplicationShutdown();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const untilInProgress = async (requests: number) => {
    while (classes.other.inProgress !== requests) await new Promise(setImmediate);
  };
  const logged = (message: string) =>
    lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === message);

  it('rejects a request that is not admitted, and keeps its connection', async () => {
    reject();
    const response = await fetch(`${url}/slow`);

    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('connection')).toBe('keep-alive');
    expect(await response.json()).toMatchObject({
      code: 'OVERLOADED',
      message: 'Service unavailable',
    });
  });

  it('admits license checks while other work is rejected', async () => {
    reject();
    expect((await fetch(`${url}/check?by=shop`, { method: 'POST' })).status).toBe(200);
  });

  it('rejects license checks beyond their own capacity, with the error shape of their route', async () => {
    reject('licenseChecks');
    const rejection = await fetch(`${url}/check`, { method: 'POST', body: 'x'.repeat(16_000) });
    expect(rejection.status).toBe(503);
    expect(await rejection.json()).toMatchObject({ valid: false, code: 'OVERLOADED' });
    expect((await fetch(`${url}/marked`, { method: 'POST' })).status).toBe(200);
  });

  it('rejects requests without a route, preflights included, as other work', async () => {
    reject();
    expect((await fetch(`${url}/x`, { method: 'OPTIONS' })).status).toBe(503);
  });

  it('serves health checks under any load', async () => {
    reject();
    expect((await fetch(`${url}/live?by=probe`)).status).toBe(200);
  });

  it('rejects only after the tick has read its requests, so that resent ones wait for the next tick', async () => {
    reject();
    const isEnded: boolean[] = [];
    server.server.once('request', (_request, response: ServerResponse) => {
      isEnded.push(response.writableEnded);
      setImmediate(() => isEnded.push(response.writableEnded));
    });
    await fetch(`${url}/slow`);

    expect(isEnded).toEqual([false, true]);
  });

  it('rejects for an eighth of the time while connections are being accepted, otherwise all at once', async () => {
    reject();
    let now = Math.ceil(performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const isAccepting = jest.spyOn(loop, 'isAccepting').mockReturnValue(false);
    let received = 0;
    let rejected = 0;
    server.server.prependListener('request', (_request, response: ServerResponse) => {
      received += 1;
      const end = response.end.bind(response);
      jest.spyOn(response, 'end').mockImplementation((body: unknown) => {
        rejected += 1;
        now += 1;
        return end(body);
      });
    });
    const iterations = async () => {
      for (let i = 0; i < 10; i++) await new Promise(setImmediate);
    };
    await fetch(`${url}/slow`);
    isAccepting.mockReturnValue(true);
    const flood = Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/slow`)));
    while (received < 21) await new Promise(setImmediate);

    now += 1.75;
    await iterations();
    expect(rejected).toBe(1);
    now += 0.25;
    await iterations();
    expect(rejected).toBe(2);
    isAccepting.mockReturnValue(false);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(rejected).toBe(21);
    await flood;
  });

  it('begins the requests of 250 new connections once all are accepted', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()));
    const isAccepting = jest.spyOn(loop, 'isAccepting').mockReturnValue(true);
    // The first deferred request is handled at once: the time since the last one is long.
    await fetch(`${url}/marked`, { method: 'POST' });
    let received = 0;
    server.server.on('request', () => (received += 1));
    const burst = Promise.all(
      Array.from({ length: 250 }, () => fetch(`${url}/marked`, { method: 'POST' })),
    );
    while (received < 250) await new Promise(setImmediate);
    expect(begun).toHaveLength(1);
    isAccepting.mockReturnValue(false);

    await burst;
    expect(begun).toHaveLength(251);
  });

  it('does not begin a deferred request whose caller has disconnected', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()));
    const isAccepting = jest.spyOn(loop, 'isAccepting').mockReturnValue(true);
    await fetch(`${url}/live`);
    const isClosed = new Promise<void>((resolve) => {
      server.server.once('request', (_request, response: ServerResponse) => {
        response.once('close', resolve);
        caller.destroy();
      });
    });
    const caller = http.get(`${url}/slow`).on('error', () => undefined);
    await isClosed;
    isAccepting.mockReturnValue(false);

    await fetch(`${url}/live`);
    expect(begun).toEqual(['/live', '/live']);
  });

  it('closes the connection of a rejected request once the shutdown has begun', async () => {
    reject();
    shutdown.hasBegun = true;
    expect((await fetch(`${url}/slow`)).headers.get('connection')).toBe('close');
  });

  it('allows only the configured origins to read a rejection', async () => {
    reject();
    const allowed = async (origin: string) =>
      (await fetch(`${url}/slow`, { headers: { Origin: origin } })).headers.get(
        'access-control-allow-origin',
      );

    expect(await allowed(ORIGIN)).toBe(ORIGIN);
    expect(await allowed('https://evil.example.com')).toBeNull();
  });

  it('does not count a request whose body is still being sent', async () => {
    const request = http.request(`${url}/marked`, {
      method: 'POST',
      headers: { 'Content-Length': 10, Expect: '100-continue' },
    });
    request.on('error', () => undefined).flushHeaders();
    await once(request, 'continue');

    expect(classes.other.inProgress).toBe(0);
    request.destroy();
  });

  it('rejects an admitted request whose body arrives when the capacity is full', async () => {
    const isFull = jest.spyOn(classes.licenseChecks, 'isFull').mockReturnValue(true);
    const check = () => fetch(`${url}/check`, { method: 'POST' });
    expect(await (await check()).json()).toMatchObject({ code: 'OVERLOADED' });
    expect(classes.licenseChecks.inProgress).toBe(0);
    isFull.mockRestore();
    expect((await check()).status).toBe(200);
  });

  it('admits a request by the class of its route, however its path is spelled', async () => {
    reject('licenseChecks');
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

  it('logs the number of rejected requests once a second, and none of them separately', async () => {
    reject();
    for (let i = 0; i < 3; i++) await fetch(`${url}/slow`);
    await server.close();

    expect(logged('overload: rejected')).toMatchObject([{ level: 40, requests: 3 }]);
    expect(logged('request')).toEqual([]);
  });

  it('counts rejected requests by reason, and closed connections', async () => {
    reject();
    await fetch(`${url}/slow`);
    jest.restoreAllMocks();
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nHost: licenses.example\r\n\r\n'.repeat(MAX_PIPELINED + 1));
    completeAll();
    expect(await text(socket)).toContain('TOO_MANY_CONCURRENT_REQUESTS');
    jest.spyOn(Connections.prototype, 'takeClosed').mockReturnValueOnce(2);
    await server.close();

    const exposition = new Exposition(await metrics.text());
    const rejected = (reason: string) =>
      exposition.valueOf('license_service_overload_rejections_total', {
        work_class: 'other',
        reason,
      });
    expect([rejected('capacity'), rejected('connection')]).toEqual([1, 1]);
    expect(exposition.valueOf('license_service_rejected_connections_total')).toBe(2);
  });
});
