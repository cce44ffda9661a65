import { randomUUID } from 'node:crypto';
import { ENGINES } from '../../engines.js';
import type { HttpResponse } from '../../http-caller.js';
import { statusesOf } from '../at-once.js';
import {
  createClient,
  type Developer,
  logIn,
  NOBODYS,
  PASSWORD,
  registerDeveloper,
  unknownKey,
} from '../developer.js';
import { rateLimitOf } from '../rate-limit.js';
import { useApp } from '../use-app.js';
import { idOf, pathTo, ROUTES } from './world.js';

const isWrite = (method: string) => method !== 'GET';
const WRITES = ROUTES.filter(
  ({ method, operation }) => isWrite(method) && operation.security?.length,
);
const retryAfter = ({ headers }: HttpResponse) => headers.get('retry-after');

describe('S21: the writes of an account', () => {
  const LIMIT = 20;
  const app = useApp('SQLite', { WRITE_LIMIT: String(LIMIT) });
  let eve: Developer;

  beforeEach(async () => {
    eve = await registerDeveloper(app);
  });

  const write = (user: Developer, from = '203.0.113.1') =>
    app.patch(`/clients/${NOBODYS}`, {}, { token: user.token, from });
  const exhaust = async () => {
    for (let i = 0; i < LIMIT; i++) await write(eve, `203.0.113.${i}`);
  };

  it(`are ${LIMIT} a minute, from whatever addresses, and then 429 until the window ends`, async () => {
    const first = await write(eve);
    expect([first.status, retryAfter(first)]).toEqual([404, null]);
    expect(rateLimitOf(first)).toEqual(['20', '19', '60']);
    app.clock.advance({ seconds: 10 });
    await exhaust();
    const rejected = await write(eve);

    expect(rejected.status).toBe(429);
    expect(rejected.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect([...rateLimitOf(rejected), retryAfter(rejected)]).toEqual(['20', '0', '50', '50']);
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
      expect([...rateLimitOf(response), retryAfter(response)]).toEqual(['20', '0', '60', '60']);
    },
  );

  it('leave its reads, and what other accounts write from the same address', async () => {
    const ada = await registerDeveloper(app);
    await exhaust();
    await write(eve);

    expect((await app.get('/clients', eve)).status).toBe(200);
    expect((await write(ada)).status).toBe(404);
    expect(rateLimitOf(await write(ada))).toEqual(['20', '18', '60']);
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
  const app = useApp(engine, { EMAIL_CONFLICT_LIMIT: '' });
  let eve: Developer;
  const victims: string[] = [];

  beforeAll(async () => {
    const ada = await registerDeveloper(app);
    for (let i = 0; i < LIMIT + 20; i++) victims.push((await createClient(app, ada)).email);
  });
  beforeEach(async () => {
    eve = await registerDeveloper(app);
  });

  const create = (email: string, key?: string) =>
    app.post(
      '/clients',
      { name: 'Acme', email },
      { token: eve.token, headers: key ? { 'Idempotency-Key': key } : {} },
    );
  const free = () => `${randomUUID()}@free.test`;

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
    expect([rateLimitOf(taken), retryAfter(taken)]).toEqual([rateLimitOf(open), '3600']);
    expect({ ...taken.body, requestId: '' }).toEqual({ ...open.body, requestId: '' });
    const changes = [await change({ email: victims[LIMIT] }), await change({ email: free() })];
    expect(statusesOf(changes)).toEqual([429, 429]);
    expect(retryAfter(open)).toBe('3600');

    // A repeat of what was created still gets its response, and a name is no address.
    expect((await create(first.body.client.email as string, 'before')).body).toEqual(first.body);
    expect((await change({ name: 'Initech' })).status).toBe(200);
    app.clock.advance({ seconds: 3600 });
    eve = await logIn(app, eve);
    expect((await create(victims[LIMIT]!)).status).toBe(409);
  });

  it('tells of no more addresses than requests are in progress when the limit is reached', async () => {
    for (const email of victims.slice(0, LIMIT - 1)) await create(email);
    const atOnce = await Promise.all(victims.slice(-20).map((email) => create(email)));
    expect(statusesOf(atOnce)).toContain(409);
    expect((await create(victims[0]!)).status).toBe(429);
  });

  it('counts neither free addresses nor missing clients', async () => {
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
  /** Requests of a minute, where they are more than 60. */
  const LIMITS: Record<string, number> = { getKeySet: 300 };
  const BODIES: Record<string, object> = {
    login: { email: 'nobody@studio.example', password: PASSWORD },
    createConsoleSession: { email: 'nobody@studio.example', password: PASSWORD },
  };
  const GUESS = { refreshToken: 'nonsense', key: unknownKey() };
  const app = useApp('SQLite', {
    ...{ ACTIVATION_LIMIT: '', VALIDATION_LIMIT: '', VALIDATION_ADDRESS_LIMIT: '' },
    ...{ UNKNOWN_KEY_LIMIT: '', LOGIN_LIMIT: '', REGISTER_LIMIT: '', REFRESH_LIMIT: '' },
    KEY_SET_LIMIT: '',
  });

  it.each(LIMITED.map((route, index) => [idOf(route), index, route] as const))(
    'end at %s after at most 60 requests of an address, those of keys after 300, and not for another address',
    async (operation, index, route) => {
      const { method } = route;
      const path = pathTo(route, NOBODYS);
      const body = route.operation.requestBody && JSON.stringify(BODIES[operation] ?? GUESS);
      const limit = LIMITS[operation] ?? 60;
      const from = `203.0.113.${index}`;
      const statuses: number[] = [];
      for (let i = 0; i <= limit && statuses.at(-1) !== 429; i++) {
        statuses.push((await app.send(method, path, body, { from })).status);
      }

      expect(statuses.at(-1)).toBe(429);
      expect(statuses.length).toBeGreaterThan(1);
      const other = await app.send(method, path, body, { from: `198.51.100.${index}` });
      expect(other.status).toBe(statuses[0]);
    },
  );

  it(`let an address refresh and log out ${REFRESH_LIMIT} times a minute together`, async () => {
    const { refreshToken } = await registerDeveloper(app);
    const send = (path: string, token: string, from = '192.0.2.1') =>
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
      expect([...rateLimitOf(response), retryAfter(response)]).toEqual(['60', '0', '60', '60']);
    }
    expect((await send('/auth/refresh', refreshToken, '192.0.2.2')).status).toBe(200);
    app.clock.advance({ seconds: 60 });
    expect((await send('/auth/refresh', 'nonsense')).status).toBe(401);
  });
});
