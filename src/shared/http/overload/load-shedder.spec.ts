import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Config } from '../../config/config.js';
import type { GracefulShutdown } from '../graceful-shutdown.js';
import type { EventLoop } from './event-loop.js';
import { LoadShedder } from './load-shedder.js';
import { WorkInProgress } from './work-in-progress.js';

const ORIGIN = 'https://admin.example.com';

describe('LoadShedder', () => {
  let server: FastifyInstance;
  let url: string;
  let work: WorkInProgress;
  let loop: { hasTime: jest.Mock; hurry: jest.Mock };
  let shutdown: { hasBegun: boolean };
  let log: string[];
  let answerAll: () => void;

  beforeEach(async () => {
    log = [];
    loop = { hasTime: jest.fn(() => true), hurry: jest.fn() };
    work = new WorkInProgress();
    const logger = pino({ level: 'warn' }, { write: (line) => log.push(line) });
    server = fastify({ loggerInstance: logger }) as unknown as FastifyInstance;
    const config = { corsOrigins: [ORIGIN] } as unknown as Config;
    shutdown = { hasBegun: false };
    new LoadShedder(
      config,
      shutdown as unknown as GracefulShutdown,
      loop as unknown as EventLoop,
      work,
    ).protect(server);
    const untilAll = new Promise<void>((resolve) => (answerAll = resolve));
    server.get('/slow', async () => {
      await untilAll;
      return 'done';
    });
    server.get('/live', { config: { neverShed: true } }, async () => 'alive');
    server.post('/marked', { config: { errorShape: { always: { valid: false } } } }, async () => 1);
    await server.listen();
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    answerAll();
    await server.close();
    jest.useRealTimers();
  });

  const untilInWork = async (requests: number) => {
    while (work.size !== requests) await new Promise(setImmediate);
  };

  it('refuses a request that comes too late, and keeps its connection', async () => {
    loop.hasTime.mockReturnValueOnce(false);
    const answer = await fetch(`${url}/slow`);
    const body = (await answer.json()) as { requestId: string };

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('connection')).toBe('keep-alive');
    expect(answer.headers.get('x-request-id')).toBe(body.requestId);
    expect(body).toMatchObject({ code: 'OVERLOADED', message: 'Service unavailable' });
  });

  it('closes the connection of a refusal once the shutdown has begun', async () => {
    shutdown.hasBegun = true;
    loop.hasTime.mockReturnValueOnce(false);

    expect((await fetch(`${url}/slow`)).headers.get('connection')).toBe('close');
  });

  it('refuses the 257th, and takes one more as soon as one is answered', async () => {
    const others = Array.from({ length: 256 }, () => fetch(`${url}/slow`));
    await untilInWork(256);

    expect((await fetch(`${url}/slow`)).status).toBe(503);
    expect(loop.hurry).toHaveBeenCalledTimes(1);
    answerAll();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(256).fill(200));
    expect((await fetch(`${url}/slow`)).status).toBe(200);
    expect(work.size).toBe(0);
  });

  it('reads all that a turn brings before it refuses, so that who asks again waits for the next', async () => {
    loop.hasTime.mockReturnValue(false);
    const response = { writeHead: jest.fn(), end: jest.fn() };
    server.server.emit('request', { method: 'GET', url: '/slow', headers: {} }, response);
    expect(response.end).not.toHaveBeenCalled();

    await new Promise(setImmediate);
    expect(response.end).toHaveBeenCalledTimes(1);
  });

  it('answers what must always be answered', async () => {
    loop.hasTime.mockReturnValue(false);

    expect((await fetch(`${url}/live?by=probe`)).status).toBe(200);
  });

  it('gives a refusal what its route gives every error', async () => {
    loop.hasTime.mockReturnValue(false);
    const refusal = await fetch(`${url}/marked`, { method: 'POST', body: 'x'.repeat(16_000) });

    expect(await refusal.json()).toMatchObject({ valid: false, code: 'OVERLOADED' });
  });

  it('shows a refusal to the configured origins alone', async () => {
    loop.hasTime.mockReturnValue(false);
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

    expect(work.size).toBe(0);
    request.destroy();
  });

  it('counts one that has gone no longer than the work for it', async () => {
    const request = http.get(`${url}/slow`).on('error', () => undefined);
    await untilInWork(1);
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    answerAll();

    await untilInWork(0);
  });

  it('tells in the log once a second how many it has refused', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    loop.hasTime.mockReturnValue(false);
    for (let i = 0; i < 3; i++) await fetch(`${url}/slow`);
    jest.advanceTimersByTime(1000);

    const lines = log.map((line) => JSON.parse(line) as { requests: number; level: number });
    expect(lines.map(({ requests, level }) => [requests, level])).toEqual([[3, 40]]);
  });
});
