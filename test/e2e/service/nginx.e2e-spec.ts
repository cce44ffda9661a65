import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '../../free-port.js';
import { exchange } from '../../http-exchange.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { describeWithNginx, nginx } from '../../nginx/nginx.js';
import { CREDENTIALS } from '../../sdk/untrusted-server.js';

describeWithNginx('deploy/nginx.conf', () => {
  let instances: http.Server[];
  let proxy: AppendingProxy;
  let received: { headers: http.IncomingHttpHeaders; length: number }[];
  let isKilled: boolean;
  let mayRespond: Promise<void> | undefined;

  // Each test has a new nginx, because one that failed to reach an instance skips it for a while.
  beforeEach(async () => {
    [received, isKilled, mayRespond] = [[], false, undefined];
    instances = [1, 2, 3].map(() =>
      http.createServer((request, response) => void serve(request, response)),
    );
    const urls = instances.map(async (instance) => {
      await once(instance.listen(0, '127.0.0.1'), 'listening');
      return `http://127.0.0.1:${(instance.address() as AddressInfo).port}`;
    });
    proxy = await AppendingProxy.start(String(nginx), ...(await Promise.all(urls)));
  });
  afterEach(async () => {
    await proxy.stop();
    instances.forEach((instance) => instance.closeAllConnections());
    await Promise.all(instances.map((instance) => once(instance.close(), 'close')));
  });

  async function serve(request: http.IncomingMessage, response: http.ServerResponse) {
    received.push({ headers: request.headers, length: (await text(request)).length });
    await mayRespond;
    if (isKilled) request.socket.destroy();
    else response.end('done');
  }

  const post = (path: string, headers: Record<string, string> = {}, body = '') =>
    fetch(proxy.url + path, { method: 'POST', headers, body });

  it('keeps the scheme forwarded by an outer proxy, and otherwise sends its own', async () => {
    await post('/clients');
    await post('/clients', { 'X-Forwarded-Proto': 'https' });
    const schemes = received.map(({ headers }) => headers['x-forwarded-proto']);
    expect(schemes).toEqual(['http', 'https']);
  });

  it('removes the X-Forwarded-Host of a caller', async () => {
    isKilled = true;
    await post('/validate', { 'X-Forwarded-Host': 'other.example' });
    const hosts = received.map(({ headers }) => headers['x-forwarded-host']);
    expect(hosts).toEqual([undefined, undefined]);
  });

  it('passes oversized bodies to the service, except very large ones', async () => {
    await post('/clients', {}, 'x'.repeat(32_000));
    const response = await post('/clients', {}, 'x'.repeat(33_000));
    expect(response.status).toBe(413);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ code: 'BODY_TOO_LARGE' });
    expect(received.map(({ length }) => length)).toEqual([32_000]);
  });

  it('passes imports of up to 1 MiB to the service', async () => {
    const sizes = [1024 * 1024, 1200 * 1024];
    const send = (size: number) => post('/licenses/import', {}, 'x'.repeat(size));
    const responses = await Promise.all(sizes.map(send));
    expect(responses.map(({ status }) => status)).toEqual([200, 413]);
  });

  it('limits the requests in progress per address, except license checks, and sends Retry-After', async () => {
    let respond: () => void = () => undefined;
    mayRespond = new Promise((resolve) => (respond = resolve));
    const served = Array.from({ length: 64 }, () => post('/clients'));
    while (received.length < 64) await new Promise(setImmediate);
    const rejected = await post('/clients');
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await rejected.json()).toMatchObject({ code: 'OVERLOADED' });
    const check = post('/validate');
    respond();
    expect((await check).status).toBe(200);
    for (const response of await Promise.all(served)) expect(response.status).toBe(200);
  });

  it.each([
    ['a license check', '/validate', {}, 2],
    ['a write with an idempotency key', '/clients', { 'Idempotency-Key': 'a' }, 2],
    ['an import, whose rows have ids', '/licenses/import', {}, 2],
    ['a write without one', '/clients', {}, 1],
    ['a refresh, whose token is good once', '/auth/refresh', { 'Idempotency-Key': 'a' }, 1],
    ['one of the console', '/console/session/refresh', { 'Idempotency-Key': 'a' }, 1],
  ])('retries %s on another instance only if safe: %s', async (_what, path, headers, times) => {
    isKilled = true;
    expect((await post(path, headers as Record<string, string>)).status).toBe(502);
    expect(received).toHaveLength(times);
  });
});

describeWithNginx('deploy/nginx-single.conf', () => {
  it('redirects to TLS, and tells the service the host, scheme and address of the caller', async () => {
    const received: http.IncomingHttpHeaders[] = [];
    const service = http.createServer(({ headers }, response) => {
      received.push(headers);
      response.end();
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const plainPort = await freePort('127.0.2.1');
    const proxy = await AppendingProxy.startWithTls(String(nginx), url, plainPort);
    try {
      const headers = { Host: 'portal.example.com', 'X-Forwarded-For': '203.0.113.9' };
      const plain = await exchange(`http://127.0.2.1:${plainPort}/console?a`, { headers });
      expect([plain.status, plain.headers.get('location')]).toEqual([
        ...[301, 'https://portal.example.com/console?a'],
      ]);
      const trusted = { ca: CREDENTIALS.cert, servername: 'localhost' };
      const request = https.get(`${proxy.url}/validate`, { headers, ...trusted });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      expect([response.statusCode, await text(response)]).toEqual([200, '']);
      expect(received).toMatchObject([
        {
          ...{ host: 'portal.example.com', 'x-forwarded-proto': 'https' },
          'x-forwarded-for': '203.0.113.9, 127.0.0.1',
        },
      ]);
    } finally {
      await proxy.stop();
      service.close();
    }
  });
});
