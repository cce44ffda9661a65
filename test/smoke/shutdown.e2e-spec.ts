import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net from 'node:net';
import { json } from 'node:stream/consumers';
import { PASSWORD } from '../e2e/developer.js';
import { Operator } from './operator.js';
import type { RunningService } from './running-service.js';

// R7: the time from the signal to the exit.
const LONGEST_END_MS = 10_000;
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };

describe('A shutdown', () => {
  const operator = new Operator();

  afterAll(() => operator.leave());

  it('completes accepted requests, releases the store, and ends in time, idle connections or not', async () => {
    const service = await operator.start();
    const request = await beginRegistration(service);
    const ending = expectEnd(service, 'SIGTERM');
    await untilClosed(service);
    request.end(JSON.stringify(ACCOUNT));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { accessToken } = (await json(response)) as { accessToken: string };
    expect(response.statusCode).toBe(201);
    await ending;

    const next = await operator.start({ SHUTDOWN_DRAIN: '0' });
    expect((await next.get('/auth/me', { token: accessToken })).body.email).toBe(ACCOUNT.email);
    await openIdleConnection(next);
    await expectEnd(next, 'SIGINT');
  });
});

async function expectEnd(service: RunningService, signal: NodeJS.Signals): Promise<void> {
  const sent = performance.now();
  const { code } = await service.end(signal);
  expect(code).toBe(0);
  expect(performance.now() - sent).toBeLessThan(LONGEST_END_MS);
}

/** Opens a connection that has got a response, and stays open. */
async function openIdleConnection({ url }: RunningService): Promise<void> {
  const { hostname, port } = new URL(url);
  const connection = net.connect(Number(port), hostname).on('error', () => undefined);
  connection.write(`GET /health/live HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await once(connection, 'data');
}

/** Begins a request: the service has read its head, and waits for its body. */
async function beginRegistration({ url }: RunningService): Promise<http.ClientRequest> {
  const request = http.request(`${url}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Expect: '100-continue' },
  });
  request.flushHeaders();
  await once(request, 'continue');
  return request;
}

/** Waits until the service accepts no more connections. */
async function untilClosed({ url }: RunningService): Promise<void> {
  const { hostname, port } = new URL(url);
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const connection = net.connect(Number(port), hostname);
      connection.once('connect', () => {
        connection.destroy();
        resolve(true);
      });
      connection.once('error', () => resolve(false));
    });
  while (await isOpen());
}
