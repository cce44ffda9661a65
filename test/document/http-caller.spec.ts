import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpCaller } from '../http-caller.js';

describe('HttpCaller', () => {
  let server: Server;
  let body = '';

  beforeAll(async () => {
    server = createServer((_request, reply) =>
      reply
        .writeHead(200, {
          'Content-Type': 'application/json',
          'X-Request-Id': '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55',
        })
        .end(body),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const call = (path: string) =>
    new HttpCaller(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).get(path);

  it('gives a response that is as the committed document says', async () => {
    body = '{"status":"ok"}';
    expect(await call('/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it.each([
    ['/health/live', '{"status":"ok","secret":"x"}'],
    ['/health/live', '{}'],
    ['/auth/me', '{"status":"ok"}'],
    ['/nowhere', '{"status":"ok"}'],
  ])('fails where the response to %s is %s', async (path, text) => {
    body = text;
    await expect(call(path)).rejects.toThrow(/is not as openapi.json says/);
  });
});
