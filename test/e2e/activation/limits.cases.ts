import { ENGINES } from '../../engines.js';
import type { HttpResponse, Call } from '../../http-caller.js';
import { atOnce } from '../at-once.js';
import { createLicense, registerDeveloper, unknownKey } from '../developer.js';
import { rateLimitOf } from '../rate-limit.js';
import { useApp } from '../use-app.js';

const UNKNOWN = unknownKey();

describe('The activation limit', () => {
  const app = useApp('SQLite', {
    ACTIVATION_LIMIT: '',
    TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
  });

  const activate = (call: Call) => app.post('/validate/activate', { key: UNKNOWN }, call);

  const repeat = async (times: number, send: () => Promise<HttpResponse>): Promise<number[]> => {
    const statuses: number[] = [];
    for (let i = 0; i < times; i++) statuses.push((await send()).status);
    return statuses;
  };

  it('allows an address 5 requests in 15 minutes, and rejects the sixth as specified', async () => {
    const from = '203.0.113.1';

    expect(await repeat(5, () => activate({ from }))).toEqual(Array(5).fill(404));
    const sixth = await activate({ from });
    expect(sixth.status).toBe(429);
    expect(sixth.body).toEqual({
      success: false,
      errors: 'too many requests, please try again later.',
      status: 429,
    });
    expect(sixth.headers.get('retry-after')).toBe('900');
  });

  it('reports the remaining requests and seconds in headers', async () => {
    const from = '203.0.113.2';
    expect(rateLimitOf(await activate({ from }))).toEqual(['5', '4', '900']);
    app.clock.advance({ seconds: 100 });
    expect(rateLimitOf(await activate({ from }))).toEqual(['5', '3', '800']);
    await repeat(3, () => activate({ from }));
    expect(rateLimitOf(await activate({ from }))).toEqual(['5', '0', '800']);
  });

  it('neither counts rejected requests nor extends the window for them', async () => {
    const from = '203.0.113.3';
    await repeat(5, () => activate({ from }));
    app.clock.advance({ seconds: 899 });
    expect(await repeat(5, () => activate({ from }))).toEqual(Array(5).fill(429));
    app.clock.advance({ seconds: 1 });

    expect(await repeat(6, () => activate({ from }))).toEqual([404, 404, 404, 404, 404, 429]);
  });

  it.each([
    ['malformed JSON', '203.0.113.11', '{"key":'],
    ['an array', '203.0.113.12', '[]'],
    ['no key', '203.0.113.13', '{}'],
    ['a body nested too deeply', '203.0.113.14', '['.repeat(3000) + ']'.repeat(3000)],
  ])('counts requests with %s', async (_case, from, body) => {
    const send = () => app.send('POST', '/validate/activate', body, { from });

    expect(await repeat(6, send)).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('counts successful activations, too', async () => {
    const ada = await registerDeveloper(app);
    const { key } = await createLicense(app, ada);
    const send = () => app.post('/validate/activate', { key }, { from: '203.0.113.4' });

    expect(await repeat(6, send)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('holds for concurrent requests', async () => {
    const responses = await atOnce(30, () => activate({ from: '203.0.113.5' }));

    expect(responses.filter(({ status }) => status === 404)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(25);
  });

  it('believes only the part of X-Forwarded-For that trusted proxies have added', async () => {
    const through = (idempotent: number) =>
      activate({ from: `198.51.100.${idempotent}, 203.0.113.7, 10.1.2.3` });
    for (let i = 1; i <= 5; i++) expect((await through(i)).status).toBe(404);

    expect((await through(6)).status).toBe(429);
  });
});

describe('The limits of an address', () => {
  const app = useApp('SQLite', {
    ...{ ACTIVATION_LIMIT: '2', REFRESH_LIMIT: '2', REGISTER_LIMIT: '2' },
    ...{ VALIDATION_LIMIT: '2', VALIDATION_ADDRESS_LIMIT: '2', UNKNOWN_KEY_LIMIT: '2' },
  });

  const routes = [
    ['/validate/activate', { key: UNKNOWN }, 404],
    ['/validate', { key: UNKNOWN }, 200],
    ['/auth/refresh', { refreshToken: 'unknown' }, 401],
    ['/auth/register', {}, 400],
  ] as const;

  it.each(routes)(
    'count requests of %s towards its own limit alone',
    async (path, body, status) => {
      const from = `203.0.113.${routes.findIndex(([route]) => route === path)}`;
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) statuses.push((await app.post(path, body, { from })).status);

      expect(statuses).toEqual([status, status, 429]);
      for (const [otherPath, otherBody, otherStatus] of routes) {
        if (otherPath === path) continue;
        expect((await app.post(otherPath, otherBody, { from })).status).toBe(otherStatus);
      }
    },
  );
});

describe.each(ENGINES)('The validation limits on %s', (engine) => {
  const app = useApp(engine, {
    VALIDATION_LIMIT: '',
    VALIDATION_ADDRESS_LIMIT: '',
    UNKNOWN_KEY_LIMIT: '',
  });

  const validate = (key: string, from: string) => app.post('/validate', { key }, { from });

  it('allow a license key 60 requests of an address in a minute, and count its forms as one', async () => {
    const from = '203.0.113.1';
    for (let i = 0; i < 30; i++) {
      expect((await validate(UNKNOWN, from)).status).toBe(200);
      expect((await validate(` ${UNKNOWN.toLowerCase()}`, from)).status).toBe(200);
    }
    const rejected = await validate(UNKNOWN, from);

    expect(rejected.status).toBe(429);
    expect(rejected.body).toMatchObject({
      valid: false,
      message: 'Too many requests',
      code: 'TOO_MANY_REQUESTS',
    });
    expect(rateLimitOf(rejected)).toEqual(['60', '0', '60']);
    expect(rejected.headers.get('retry-after')).toBe('60');
    expect((await validate(unknownKey(1), from)).status).toBe(200);
    expect((await validate(UNKNOWN, '203.0.113.2')).status).toBe(200);
    app.clock.advance({ seconds: 60 });
    expect((await validate(UNKNOWN, from)).status).toBe(200);
  });

  it.each([
    ['malformed JSON', '203.0.113.11', '{"key":', 400],
    ['an array', '203.0.113.12', '[]', 400],
    ['no body', '203.0.113.13', '', 400],
    ['a key that is no string', '203.0.113.14', '{"key":7}', 400],
    ['what can be no key', '203.0.113.15', '{"key":"no key"}', 200],
  ])(
    'count requests with %s towards the limit of the address',
    async (_case, from, body, status) => {
      const response = await app.send('POST', '/validate', body, { from });
      const second = await validate(UNKNOWN, from);

      expect(response.status).toBe(status);
      expect(rateLimitOf(response)).toEqual(['3000', '2999', '60']);
      expect(rateLimitOf(second)).toEqual(['60', '59', '60']);
    },
  );

  it('allow an address 20 distinct unknown keys, then none until the window ends', async () => {
    const from = '203.0.113.5';
    const { key } = await createLicense(app, await registerDeveloper(app));
    for (let i = 1; i <= 20; i++) expect((await validate(unknownKey(i), from)).status).toBe(200);
    expect((await validate(key, from)).body.status).toBe('pending');

    const rejected = await validate(unknownKey(21), from);
    expect(rejected.status).toBe(429);
    expect(rateLimitOf(rejected)).toEqual(['20', '0', '900']);
    expect(rejected.headers.get('retry-after')).toBe('900');
    expect((await validate(unknownKey(1), from)).status).toBe(429);
    const responded = await validate(key, from);
    expect(responded.body.status).toBe('pending');
    expect(rateLimitOf(responded)).toEqual(['60', '58', '60']);
    app.clock.advance({ seconds: 900 });
    expect((await validate(unknownKey(21), from)).status).toBe(200);
  });

  it('reject unknown keys alike, whether or not they look like keys', async () => {
    const from = '203.0.113.6';
    for (let i = 1; i <= 21; i++) await validate(unknownKey(i), from);
    const rejections = [];
    for (const key of [unknownKey(22), unknownKey(1), 'no key', `${UNKNOWN}-AAAA`]) {
      const { status, headers, body } = await validate(key, from);
      const told = [...headers.keys()].filter((name) => !['date', 'x-request-id'].includes(name));
      rejections.push({
        status,
        headers: told.map((name) => [name, headers.get(name)]),
        body: { ...body, requestId: '' },
      });
    }

    expect(rejections[0]).toMatchObject({ status: 429, body: { valid: false } });
    for (const rejection of rejections) expect(rejection).toEqual(rejections[0]);
  });
});
