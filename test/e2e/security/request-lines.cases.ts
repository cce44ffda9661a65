import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLicense, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';

const percentEncoded = (secret: string) =>
  [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

describe('S12, S22: the line of a request', () => {
  const app = useApp('SQLite');
  let key: string;
  let token: string;

  beforeAll(async () => {
    const developer = await registerDeveloper(app);
    ({ token } = developer);
    ({ key } = await createLicense(app, developer));
  });

  const lineOf = ({ headers }: { headers: Headers }) => {
    const id = String(headers.get('x-request-id'));
    const lines = app.log.filter((line) => line.includes(id));
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0]!) as Record<string, unknown>;
  };

  it('names the route and the id of its record', async () => {
    const id = '665f1c2ab7e4a90012345678';
    const line = lineOf(await app.get(`/licenses/${id}/events?limit=5`, { token }));

    expect(line).toEqual({
      ...{ level: 30, time: expect.any(String), reqId: expect.any(String), msg: 'request' },
      ...{ method: 'GET', route: '/licenses/:id/events', id, status: 404 },
      ...{ ms: expect.any(Number), ip: '127.0.0.1' },
    });
  });

  it('names no malformed id', async () => {
    const line = lineOf(await app.get('/licenses/of-acme', { token }));

    expect(line).toMatchObject({ route: '/licenses/:id', status: 400 });
    expect(line).not.toHaveProperty('id');
    expect(line).not.toHaveProperty('path');
  });

  it('names the short words of a path without a route', async () => {
    const line = lineOf(await app.get('/license/of-a-company-that-we-know/x'));

    expect(line).toMatchObject({ path: '/license/*/x', status: 404 });
    expect(line).not.toHaveProperty('route');
  });

  // app.stop() looks for the secrets too, and lineOf() makes sure that there is a line.
  it('holds no key and no token that was sent in a path or a query', async () => {
    const secrets = [
      key,
      key.toLowerCase(),
      percentEncoded(key),
      key.replaceAll('-', '%2D'),
      token,
    ];
    for (const secret of secrets) {
      for (const path of [
        ...[`/licenses/${secret}`, `/licenses/${secret}/events`, `/validate/${secret}`],
        ...[`/clients?search=${secret}`, `/nowhere?key=${secret}`, `/nowhere;key=${secret}`],
        ...[`/${'x/'.repeat(35)}${secret}`, `/${'x/'.repeat(46)}${secret}`, `/docs/${secret}`],
        ...[`/%zz/${secret}`, `/licenses/${secret}${'x'.repeat(14_000)}`, `//${secret}`],
      ]) {
        const line = JSON.stringify(lineOf(await app.get(path)));
        expect(line.length).toBeLessThan(400);
        expect(decodeURIComponent(line).toLowerCase()).not.toContain(key.toLowerCase().slice(-14));
        expect(line).not.toContain(token.slice(-20));
      }
    }
  });

  it('holds no key and no token that was sent in a header', async () => {
    for (const secret of [key, token]) {
      for (const headers of [
        { Authorization: `Bearer ${secret}` },
        { 'X-Api-Key': secret },
        { Cookie: `session=${secret}` },
        { 'Idempotency-Key': secret },
        { 'User-Agent': secret },
        { Referer: `http://shop.example/${secret}` },
        { 'X-Request-Id': secret },
        { 'X-Forwarded-Host': secret },
        { 'Accept-Version': secret },
        { 'X-Forwarded-For': secret },
        { 'X-Forwarded-For': `fe80::1%${secret}` },
        { 'X-Forwarded-For': `192.0.2.7:${secret}` },
      ]) {
        const line = JSON.stringify(lineOf(await app.get('/auth/me', { headers })));
        expect(line).not.toContain(secret);
      }
    }
  });

  it('holds no key and no token of a target that is an absolute URL', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const target = `http://ada:${token}@licenses.example/nowhere/${key}`;
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const id = String(/x-request-id: (\S+)/i.exec(await text(socket))?.[1]);

    expect(lineOf({ headers: new Headers({ 'X-Request-Id': id }) })).toMatchObject({ status: 404 });
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8:1:2:3:4:5:6]:4711', '2001:db8:1:2::/64'],
    ['fe80::1%LIC-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC', 'fe80::/64'],
    ['unknown', '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('with X-Forwarded-For %j names the address that limits count: %s', async (from, ip) => {
    const line = lineOf(await app.get('/health/live', { headers: { 'X-Forwarded-For': from } }));

    expect(line).toMatchObject({ ip });
  });
});
