import { useApp } from '../use-app.js';

const percentEncoded = (secret: string) =>
  [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

describe('S12, S22: the line of a request', () => {
  const app = useApp();
  let key: string;
  let token: string;

  beforeAll(async () => {
    const developer = await app.register();
    ({ token } = developer);
    ({ key } = await app.createLicense(developer));
  });

  const lineOf = ({ headers }: { headers: Headers }) => {
    const id = String(headers.get('x-request-id'));
    const lines = app.log.filter((line) => line.includes(id));
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0]!) as Record<string, unknown>;
  };
  const at = async (path: string) => lineOf(await app.get(path, { token }));

  it('names the route and the id of its record, no malformed id, and the short words of a path without a route', async () => {
    const id = '665f1c2ab7e4a90012345678';
    const any = {
      ...{ level: 30, time: expect.any(String), reqId: expect.any(String), msg: 'request' },
      ...{ method: 'GET', ms: expect.any(Number), ip: '127.0.0.1' },
    };

    expect(await at(`/licenses/${id}/events?limit=5`)).toEqual({
      ...{ ...any, route: '/licenses/:id/events', id, status: 404 },
    });
    expect(await at('/licenses/of-acme')).toEqual({ ...any, route: '/licenses/:id', status: 400 });
    const path = '/license/of-a-company-that-we-know/x';
    expect(await at(path)).toEqual({ ...any, path: '/license/*/x', status: 404 });
    // This one reaches no hook of a request.
    expect(await at('/clients/%zz')).toEqual({ ...any, path: '/clients/*', status: 400 });
  });

  // app.stop() looks for the secrets too, and lineOf() makes sure that there is a line.
  it('holds no key and no token that was sent in a path, a query or a header', async () => {
    const forms = [key, key.toLowerCase(), percentEncoded(key), key.replaceAll('-', '%2D'), token];
    for (const secret of forms) {
      for (const path of [
        ...[`/licenses/${secret}`, `/licenses/${secret}/events`, `/clients?search=${secret}`],
        ...[`/validate/${secret}`, `/nowhere;key=${secret}`, `/docs/${secret}`, `//${secret}`],
        ...[`/${'x/'.repeat(46)}${secret}`, `/%zz/${secret}`],
        `/licenses/${secret}${'x'.repeat(14_000)}`,
      ]) {
        const line = JSON.stringify(lineOf(await app.get(path)));
        expect(line.length).toBeLessThan(400);
        expect(decodeURIComponent(line).toLowerCase()).not.toContain(key.toLowerCase().slice(-14));
        expect(line).not.toContain(token.slice(-20));
      }
    }
    for (const secret of [key, token]) {
      for (const [name, value] of [
        ...['X-Api-Key', 'Idempotency-Key', 'X-Request-Id', 'X-Forwarded-Host', 'User-Agent'].map(
          (header) => [header, secret],
        ),
        ...['', 'fe80::1%', '192.0.2.7:'].map((begin) => ['X-Forwarded-For', begin + secret]),
        ['Authorization', `Bearer ${secret}`],
        ['Cookie', `session=${secret}`],
        ['Referer', `http://shop.example/${secret}`],
      ] as [string, string][]) {
        const response = await app.get('/auth/me', { headers: { [name]: value } });
        expect(JSON.stringify(lineOf(response))).not.toContain(secret);
      }
    }
  });
});
