import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Config } from '../../config/config.js';
import { Connections } from '../connections.js';
import type { GracefulShutdown } from '../graceful-shutdown.js';
import { EventLoop } from './event-loop.js';
import { LoadShedder } from './load-shedder.js';
import { WorkClasses } from './work-classes.js';

const ORIGIN = 'https://admin.example.com';
const TOO_MANY = { success: false, status: 429 };

describe('LoadShedder', () => {
  let server: FastifyInstance;
  let url: string;
  let classes: WorkClasses;
  let shedder: LoadShedder;
  let shutdown: { hasBegun: boolean };
  let log: string[];
  let completeAll: () => void;
  const reject = () => jest.spyOn(classes.other, 'tryAdmit').mockReturnValue(false);

  beforeEach(async () => {
    log = [];
    classes = new WorkClasses(new EventLoop());
    const logger = pino({ level: 'warn' }, { write: (line) => log.push(line) });
    server = fastify({ loggerInstance: logger }) as unknown as FastifyInstance;
    const config = {
      corsOrigins: [ORIGIN],
      trustedProxies: [],
      maxConnections: 5000,
    } as unknown as Config;
    shutdown = { hasBegun: false };
    shedder = new LoadShedder(
      config,
      shutdown as unknown as GracefulShutdown,
      new Connections(config),
      classes,
    );
    shedder.protect(server);
    const untilAll = new Promise<void>((resolve) => (completeAll = resolve));
    server.get('/slow', async () => {
      await untilAll;
      return 'done';
    });
    server.get('/live', async () => 'alive');
    server.post('/marked', { config: { errorShape: { always: { valid: false } } } }, async () => 1);
    server.post('/check', { config: { workClass: 'licenseChecks' } }, async () => 'checked');
    server.get('/shaped', { config: { errorShape: { tooManyRequests: TOO_MANY } } }, async () => 1);
    await server.listen();
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
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

  it('rejects a request that is not admitted, and keeps its connection', async () => {
    reject();
    const response = await fetch(`${url}/slow`);
    const body = (await response.json()) as { requestId: string };

    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('connection')).toBe('keep-alive');
    expect(response.headers.get('x-request-id')).toBe(body.requestId);
    expect(body).toMatchObject({ code: 'OVERLOADED', message: 'Service unavailable' });
  });

  it('admits license checks while other work is rejected', async () => {
    reject();
    expect((await fetch(`${url}/check?by=shop`, { method: 'POST' })).status).toBe(200);
  });

  it('rejects license checks where there are too many of their own', async () => {
    jest.spyOn(classes.licenseChecks, 'tryAdmit').mockReturnValue(false);
    expect((await fetch(`${url}/check`, { method: 'POST' })).status).toBe(503);
    expect((await fetch(`${url}/live`)).status).toBe(200);
  });

  it('closes the connection of a rejection once the shutdown has begun', async () => {
    shutdown.hasBegun = true;
    reject();
    expect((await fetch(`${url}/slow`)).headers.get('connection')).toBe('close');
  });

  it('reads all that a tick brings before it rejects, so that callers who resend wait for the next', async () => {
    reject();
    const response = Object.assign(new http.ServerResponse({} as http.IncomingMessage), {
      end: jest.fn(),
    });
    server.server.emit(
      'request',
      { method: 'GET', url: '/slow', headers: {}, socket: {} },
      response,
    );
    expect(response.end).not.toHaveBeenCalled();

    await new Promise(setImmediate);
    expect(response.end).toHaveBeenCalledTimes(1);
  });

  it('leaves time for other work between the rejections of a flood', async () => {
    reject();
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    let rejected = 0;
    for (let i = 0; i < 100; i++) {
      const response = Object.assign(new http.ServerResponse({} as http.IncomingMessage), {
        end: () => (rejected += 1),
      });
      const request = { method: 'GET', url: '/slow', headers: {}, socket: {} };
      server.server.emit('request', request, response);
    }
    await new Promise(setImmediate);
    expect(rejected).toBeLessThan(25);
    while (rejected < 100) await new Promise(setImmediate);
  });

  it('answers health checks truthfully, whatever there is to do', async () => {
    reject();
    shedder.answerHealth('/live', async () => undefined);
    shedder.answerHealth('/slow', async () => 'SHUTTING_DOWN');

    const alive = await fetch(`${url}/live?by=probe`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
    const ending = await fetch(`${url}/slow`);
    expect(ending.status).toBe(503);
    expect(await ending.json()).toMatchObject({ code: 'SHUTTING_DOWN' });
  });

  it('gives a rejection what its route gives every error', async () => {
    reject();
    const rejection = await fetch(`${url}/marked`, { method: 'POST', body: 'x'.repeat(16_000) });

    expect(await rejection.json()).toMatchObject({ valid: false, code: 'OVERLOADED' });
  });

  it('shows a rejection to the configured origins alone', async () => {
    reject();
    const allowed = async (origin: string) =>
      (await fetch(`${url}/slow`, { headers: { Origin: origin } })).headers.get(
        'access-control-allow-origin',
      );

    expect(await allowed(ORIGIN)).toBe(ORIGIN);
    expect(await allowed('https://evil.example.com')).toBeNull();
  });

  it('does not count a caller that is still sending', async () => {
    const request = http.request(`${url}/marked`, {
      method: 'POST',
      headers: { 'Content-Length': 10, Expect: '100-continue' },
    });
    request.on('error', () => undefined).flushHeaders();
    await once(request, 'continue');

    expect(classes.other.inProgress).toBe(0);
    request.destroy();
  });

  it('counts a caller that has gone until the work for it is done', async () => {
    const request = http.get(`${url}/slow`).on('error', () => undefined);
    await untilInProgress(1);
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    expect(classes.other.inProgress).toBe(1);
    completeAll();

    await untilInProgress(0);
  });

  it('logs once a second how many requests it has rejected', async () => {
    await server.close();
    reject();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const logged: object[] = [];
    const stub = {
      addHook: () => undefined,
      decorateRequest: () => undefined,
      server: http.createServer(() => undefined),
      log: { warn: (fields: object) => logged.push(fields) },
    } as unknown as FastifyInstance;
    shedder.protect(stub);
    for (let i = 0; i < 3; i++) {
      const response = Object.assign(new http.ServerResponse({} as http.IncomingMessage), {
        end: () => undefined,
      });
      stub.server.emit('request', { method: 'GET', url: '/', headers: {}, socket: {} }, response);
    }
    await new Promise(setImmediate);
    jest.advanceTimersByTime(5000);

    expect(logged).toEqual([{ requests: 3, connections: 0 }]);
  });
});
