import { randomUUID } from 'node:crypto';
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
import { rateLimitOf, rejectionOf, visible } from '../rate-limit.js';
import { useApp } from '../use-app.js';
import { idOf, pathTo, ROUTES } from './world.js';

describe('S21: the writes of an account', () => {
  const LIMIT = 20;
  const app = useApp({ WRITE_LIMIT: String(LIMIT) });
  let eve: Developer;

  beforeEach(async () => {
    eve = await registerDeveloper(app);
  });

  const write = (user: Developer, from = '203.0.113.1') =>
    app.patch(`/clients/${NOBODYS}`, {}, { token: user.token, from });
  const exhaust = async () => {
    for (let i = 0; i < LIMIT; i++) await write(eve, `203.0.113.${i}`);
  };

  it(`are ${LIMIT} a minute, from whatever addresses, and then 429 until the window ends; others are not affected`, async () => {
    const ada = await registerDeveloper(app);
    for (let i = 0; i < LIMIT; i++) {
      // One without a valid token is a 401, and does not count.
      expect((await write({ ...eve, token: `${eve.token}x` })).status).toBe(401);
    }
    const first = await write(eve);
    expect(rejectionOf(first)).toEqual([404, '20', '19', '60', null]);
    app.clock.advance({ seconds: 10 });
    await exhaust();
    const rejected = await write(eve);

    expect(rejected.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(rejectionOf(rejected)).toEqual([429, '20', '0', '50', '50']);
    expect((await app.get('/clients', eve)).status).toBe(200);
    expect(rateLimitOf(await write(ada))).toEqual(['20', '19', '60']);
    app.clock.advance({ seconds: 50 });
    expect((await write(eve)).status).toBe(404);
  });

  it('are limited at every write, before its body and its query', async () => {
    await exhaust();
    for (const route of ROUTES) {
      if (route.method === 'GET' || !route.operation.security?.length) continue;
      const path = `${pathTo(route, NOBODYS)}?unknown=1`;
      const body = route.operation.requestBody && '{';
      const { status } = await app.send(route.method, path, body, eve);

      expect([idOf(route), status]).toEqual([idOf(route), 429]);
    }
  });
});

describe("S21: probing for other accounts' clients", () => {
  const LIMIT = 30;
  const app = useApp({ EMAIL_CONFLICT_LIMIT: '' });
  let eve: Developer;
  const victims: string[] = [];

  beforeAll(async () => {
    const ada = await registerDeveloper(app);
    for (let i = 0; i < LIMIT + 1; i++) victims.push((await createClient(app, ada)).email);
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

  it(`tells of ${LIMIT} addresses an hour, and then of none, taken or not; other accounts are not affected`, async () => {
    const own = await createClient(app, eve);
    const change = (fields: object) => app.patch(`/clients/${own._id}`, fields, eve);
    const first = await create(free(), 'before');
    const told: HttpResponse[] = [];
    for (const [index, email] of victims.slice(0, LIMIT).entries()) {
      told.push(index % 2 ? await create(email) : await change({ email }));
    }
    expect(statusesOf(told)).toEqual(told.map(() => 409));

    const [taken, open] = [await create(victims[LIMIT]!), await create(free())];
    expect(rejectionOf(open)).toEqual([429, expect.anything(), '0', '3600', '3600']);
    expect(visible(taken)).toEqual(visible(open));
    const changes = [await change({ email: victims[LIMIT] }), await change({ email: free() })];
    expect(statusesOf(changes)).toEqual([429, 429]);

    // A repeat of what was created still gets its response, and a name is no address.
    expect((await create(first.body.client.email as string, 'before')).body).toEqual(first.body);
    expect((await change({ name: 'Initech' })).status).toBe(200);
    const [former, other] = [eve, await registerDeveloper(app)];
    eve = other;
    expect(statusesOf([await create(victims[0]!), await create(free())])).toEqual([409, 201]);
    app.clock.advance({ seconds: 3600 });
    eve = await logIn(app, former);
    expect((await create(victims[LIMIT]!)).status).toBe(409);
  });
});

describe('S21: the public routes, with the limits of a new deployment', () => {
  /** Requests of an address, with another key each, until a 429, and the seconds after which to come back. */
  const LIMITS: Record<string, [count: number, seconds: string]> = {
    ...{ activateLicense: [5, '900'], validateLicense: [20, '900'], register: [20, '3600'] },
    ...{ login: [10, '900'], createConsoleSession: [10, '900'], refresh: [60, '60'] },
    ...{ logout: [60, '60'], refreshConsoleSession: [60, '60'], deleteConsoleSession: [60, '60'] },
    ...{ getRegistration: [60, '60'], getKeySet: [300, '60'] },
  };
  /** Health checks are sampled, not limited. */
  const UNLIMITED = ['getLiveness', 'getReadiness'];
  const PUBLIC = ROUTES.filter(({ operation }) => !operation.security?.length);
  const LOGIN = { email: 'nobody@studio.example', password: PASSWORD };
  const app = useApp({
    ...{ ACTIVATION_LIMIT: '', VALIDATION_LIMIT: '', VALIDATION_ADDRESS_LIMIT: '' },
    ...{ UNKNOWN_KEY_LIMIT: '', LOGIN_LIMIT: '', REGISTER_LIMIT: '', REFRESH_LIMIT: '' },
    KEY_SET_LIMIT: '',
  });

  const send = ({ method, path, operation }: (typeof ROUTES)[number], i: number, from: string) => {
    const guess = { refreshToken: 'nonsense', key: unknownKey(i) };
    const body = /login|createConsoleSession/.test(idOf({ operation })) ? LOGIN : guess;
    const sent = operation.requestBody && JSON.stringify(body);
    return app.send(method, pathTo({ path }, NOBODYS), sent, { from });
  };

  it('have a limit each, and every route that takes a license key is one of them', () => {
    const takingKeys = ROUTES.filter(({ operation }) =>
      JSON.stringify(operation.requestBody ?? {}).includes('LicenseKeyDto'),
    );
    expect([...Object.keys(LIMITS), ...UNLIMITED].sort()).toEqual(PUBLIC.map(idOf).sort());
    expect(takingKeys.map(idOf).sort()).toEqual(['activateLicense', 'validateLicense']);
  });

  it.each(Object.entries(LIMITS))(
    'end at %s after %j requests of an address and seconds, and not for another address',
    async (operation, [limit, seconds]) => {
      const route = PUBLIC.find((one) => idOf(one) === operation)!;
      const address = Object.keys(LIMITS).indexOf(operation);
      const responses: HttpResponse[] = [];
      for (let i = 0; i <= limit; i++) responses.push(await send(route, i, `203.0.113.${address}`));

      expect(statusesOf(responses).indexOf(429)).toBe(limit);
      expect(responses.at(-1)!.headers.get('retry-after')).toBe(seconds);
      const other = await send(route, 0, `198.51.100.${address}`);
      expect(other.status).toBe(responses[0]!.status);
    },
  );
});
