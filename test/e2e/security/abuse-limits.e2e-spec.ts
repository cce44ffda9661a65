import { randomUUID } from 'node:crypto';
import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import type { HttpResponse } from '../../http-caller.js';
import { createClient, type Developer, logIn, PASSWORD, registerDeveloper } from '../developer.js';
import { idOf, pathTo, ROUTES, NOBODYS } from './world.js';

const isWrite = (method: string) => method !== 'GET';
const WRITES = ROUTES.filter(
  ({ method, operation }) => isWrite(method) && operation.security?.length,
);
const limitOf = ({ headers }: HttpResponse) => ({
  limit: headers.get('x-ratelimit-limit'),
  remaining: headers.get('x-ratelimit-remaining'),
  reset: headers.get('x-ratelimit-reset'),
  retryAfter: headers.get('retry-after'),
});

describe('S21: the writes of an account', () => {
  const LIMIT = 20;
  let app: TestApp;
  let eve: Developer;
  let ada: Developer;

  beforeEach(async () => {
    app = await TestApp.start('SQLite', { WRITE_LIMIT: String(LIMIT) });
    [eve, ada] = [await registerDeveloper(app), await registerDeveloper(app)];
  });
  afterEach(() => app.stop());

  const write = (user: Developer, from = '203.0.113.1') =>
    app.patch(`/clients/${NOBODYS}`, {}, { token: user.token, from });
  const exhaust = async () => {
    for (let i = 0; i < LIMIT; i++) await write(eve, `203.0.113.${i}`);
  };

  it(`are ${LIMIT} a minute, from whatever addresses, and then 429 until the window ends`, async () => {
    const first = await write(eve);
    expect([first.status, limitOf(first)]).toEqual([
      404,
      { limit: '20', remaining: '19', reset: '60', retryAfter: null },
    ]);
    app.clock.advance({ seconds: 10 });
    await exhaust();
    const rejected = await write(eve);

    expect(rejected.status).toBe(429);
    expect(rejected.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(limitOf(rejected)).toEqual({
      limit: '20',
      remaining: '0',
      reset: '50',
      retryAfter: '50',
    });
    app.clock.advance({ seconds: 50 });
    expect((await write(eve)).status).toBe(404);
  });

  it.each(WRITES.map((route) => [idOf(route), route] as const))(
    'are limited at %s, before its body and its query',
    async (_operation, route) => {
      await exhaust();
      const path = `${pathTo(route, NOBODYS)}?unknown=1`;
      const body = route.operation.requestBody && '{';
      const response = await app.send(route.method, path, body, eve);

      expect(response.status).toBe(429);
      expect(limitOf(response)).toMatchObject({ limit: '20', remaining: '0', retryAfter: '60' });
    },
  );

  it('leave its reads, and what other accounts write from the same address', async () => {
    await exhaust();
    await write(eve);

    expect((await app.get('/clients', { token: eve.token })).status).toBe(200);
    expect((await write(ada)).status).toBe(404);
    expect(limitOf(await write(ada))).toMatchObject({ remaining: '18' });
  });

  it('are those of a valid token: without one it is a 401, and nothing counts', async () => {
    for (let i = 0; i < LIMIT + 1; i++) {
      const response = await app.patch(`/clients/${NOBODYS}`, {}, { token: `${eve.token}x` });
      expect(response.status).toBe(401);
    }
    expect((await write(eve)).status).toBe(404);
  });
});

describe.each(ENGINES)("S21: probing for other accounts' clients, on %s", (engine) => {
  const LIMIT = 30;
  let app: TestApp;
  let eve: Developer;
  let victims: string[];

  beforeAll(async () => {
    app = await TestApp.start(engine, { EMAIL_CONFLICT_LIMIT: '' });
    const ada = await registerDeveloper(app);
    victims = [];
    for (let i = 0; i < LIMIT + 20; i++) victims.push((await createClient(app, ada)).email);
  });
  beforeEach(async () => {
    eve = await registerDeveloper(app);
  });
  afterAll(() => app.stop());

  const create = (email: string, key?: string) =>
    app.post(
      '/clients',
      { name: 'Acme', email },
      { token: eve.token, headers: key ? { 'Idempotency-Key': key } : {} },
    );
  const free = () => `${randomUUID()}@free.test`;
  const statusesOf = (responses: HttpResponse[]) => responses.map(({ status }) => status);

  it(`tells of ${LIMIT} addresses an hour, and then of none, taken or not`, async () => {
    const own = await createClient(app, eve);
    const change = (fields: object) => app.patch(`/clients/${own._id}`, fields, eve);
    const first = await create(free(), 'before');
    const told: HttpResponse[] = [];
    for (const [index, email] of victims.slice(0, LIMIT).entries()) {
      told.push(index % 2 ? await create(email) : await change({ email }));
    }
    expect(statusesOf(told)).toEqual(told.map(() => 409));

    const [taken, open] = [await create(victims[LIMIT]!), await create(free())];
    expect(statusesOf([taken, open])).toEqual([429, 429]);
    expect(limitOf(taken)).toEqual(limitOf(open));
    expect({ ...taken.body, requestId: '' }).toEqual({ ...open.body, requestId: '' });
    const changes = [await change({ email: victims[LIMIT] }), await change({ email: free() })];
    expect(statusesOf(changes)).toEqual([429, 429]);
    expect(taken.headers.get('retry-after')).toBe('3600');

    // A repeat of what was created still gets its response, and a name is no address.
    expect((await create(first.body.client.email as string, 'before')).body).toEqual(first.body);
    expect((await change({ name: 'Initech' })).status).toBe(200);
    app.clock.advance({ seconds: 3600 });
    eve = await logIn(app, eve);
    expect((await create(victims[LIMIT]!)).status).toBe(409);
  });

  it('tells of no more than are in progress when the limit is reached', async () => {
    for (const email of victims.slice(0, LIMIT - 1)) await create(email);
    const atOnce = await Promise.all(victims.slice(-20).map((email) => create(email)));
    expect(statusesOf(atOnce)).toContain(409);
    expect((await create(victims[0]!)).status).toBe(429);
  });

  it('counts no address that was free, and no client that is not there', async () => {
    for (let i = 0; i < LIMIT + 5; i++) {
      expect((await create(free())).status).toBe(201);
      const missing = await app.patch(`/clients/${NOBODYS}`, { email: free() }, eve);
      expect(missing.status).toBe(404);
    }
    expect((await create(victims[0]!)).status).toBe(409);
  });

  it('leaves other accounts alone', async () => {
    for (const email of victims) await create(email);
    eve = await registerDeveloper(app);
    expect((await create(victims[0]!)).status).toBe(409);
    expect((await create(free())).status).toBe(201);
  });
});

describe('S21: the public routes', () => {
  /** Health checks are sampled, not limited. */
  const UNLIMITED = ['getLiveness', 'getReadiness'];
  const PUBLIC = ROUTES.filter(({ operation }) => !operation.security?.length);
  const LIMITED = PUBLIC.filter((route) => !UNLIMITED.includes(idOf(route)));
  const REFRESH_LIMIT = 60;
  const BODIES: Record<string, object> = {
    login: { email: 'nobody@studio.example', password: PASSWORD },
  };
  const GUESS = {
    refreshToken: 'nonsense',
    key: `LIC-${'0'.repeat(24)}-AAAA-BBBB-CCCC`,
  };
  let app: TestApp;

  beforeEach(async () => {
    app = await TestApp.start('SQLite', {
      ...{ ACTIVATION_LIMIT: '', VALIDATION_LIMIT: '', VALIDATION_ADDRESS_LIMIT: '' },
      ...{ UNKNOWN_KEY_LIMIT: '', LOGIN_LIMIT: '', REGISTER_LIMIT: '', REFRESH_LIMIT: '' },
    });
  });
  afterEach(() => app.stop());

  it.each(LIMITED.map((route) => [idOf(route), route] as const))(
    'end at %s after at most 60 requests of an address, and not for another address',
    async (operation, { method, path }) => {
      const body = JSON.stringify(BODIES[operation] ?? GUESS);
      const from = '203.0.113.1';
      const statuses: number[] = [];
      for (let i = 0; i <= 60 && statuses.at(-1) !== 429; i++) {
        statuses.push((await app.send(method, path, body, { from })).status);
      }

      expect(statuses.at(-1)).toBe(429);
      expect(statuses.length).toBeGreaterThan(1);
      const other = await app.send(method, path, body, { from: '203.0.113.2' });
      expect(other.status).toBe(statuses[0]);
    },
  );

  it(`let an address refresh and log out ${REFRESH_LIMIT} times a minute together`, async () => {
    const { refreshToken } = await registerDeveloper(app);
    const send = (path: string, token: string, from = '203.0.113.1') =>
      app.post(path, { refreshToken: token }, { from });
    for (let i = 0; i < REFRESH_LIMIT / 2; i++) {
      expect((await send('/auth/refresh', 'nonsense')).status).toBe(401);
      expect((await send('/auth/logout', 'nonsense')).status).toBe(204);
    }
    const rejected = [
      await send('/auth/refresh', refreshToken),
      await send('/auth/logout', refreshToken),
    ];

    for (const response of rejected) {
      expect(response.status).toBe(429);
      expect(limitOf(response)).toEqual({
        limit: '60',
        remaining: '0',
        reset: '60',
        retryAfter: '60',
      });
    }
    expect((await send('/auth/refresh', refreshToken, '203.0.113.2')).status).toBe(200);
    app.clock.advance({ seconds: 60 });
    expect((await send('/auth/refresh', 'nonsense')).status).toBe(401);
  });
});
