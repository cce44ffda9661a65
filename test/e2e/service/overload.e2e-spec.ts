import { ClientsRepository } from '../../../src/clients/clients.repository.js';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { WorkClasses } from '../../../src/server/overload/work-classes.js';
import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { readDocument, routesOf } from '../../document/openapi-document.js';
import type { HttpResponse } from '../../http-caller.js';
import { fetchWhole } from '../../fetch-whole.js';
import { atOnce } from '../at-once.js';
import { createLicense, NOBODYS, registerDeveloper } from '../developer.js';
import { ERROR_MARKERS, idOf } from '../security/world.js';
import { useApp } from '../use-app.js';

const ROUTES = routesOf(readDocument()).filter(({ path }) => !path.startsWith('/health/'));
describe.each(ENGINES)('R8: an overloaded service on %s', (engine) => {
  const app = useApp(engine);

  beforeEach(() => {
    for (const each of app.nest.get(WorkClasses).all()) {
      jest.spyOn(each, 'tryAdmit').mockReturnValue(false);
    }
  });
  afterEach(() => jest.restoreAllMocks());

  it.each(ROUTES.map((route) => [idOf(route), route] as const))(
    'rejects %s as the document says, with the time to come back',
    async (operation, { method, path }) => {
      const url = path.replace(/\{\w+\}/g, NOBODYS);
      const response = await app.send(method, url, method === 'POST' ? '{}' : undefined);

      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.body).toMatchObject({ ...ERROR_MARKERS[operation], code: 'OVERLOADED' });
      expect(response.body.requestId).toBe(response.headers.get('x-request-id'));
    },
  );

  it.each(['/x', '/clients?limit=%zz', '/clients/%zz'])('rejects GET %s, too', async (path) => {
    expect((await fetchWhole(app.url + path)).status).toBe(503);
  });

  it('stays alive and ready: other instances would only get its load on top of theirs', async () => {
    expect((await app.get('/health/live')).status).toBe(200);
    expect((await app.get('/health/ready')).status).toBe(200);
  });

  it('serves again as soon as there is capacity', async () => {
    expect((await app.get('/clients')).status).toBe(503);
    jest.restoreAllMocks();

    expect((await app.get('/clients')).status).toBe(401);
  });
});

describe.each(ENGINES)('R10: requests that do not end, on %s,', (engine) => {
  let app: TestApp;
  let endAll: () => void;
  let started: number;

  // Each on a service of its own, as overload lasts for a second.
  beforeEach(async () => {
    app = await TestApp.start(engine, {}, { shedsLoad: true });
    started = 0;
    // It adapts to how long requests take, which the pace of the machine decides.
    jest.spyOn(app.nest.get(WorkClasses), 'adapt').mockImplementation(() => undefined);
    const end = new Promise<void>((resolve) => (endAll = resolve));
    jest.spyOn(app.nest.get(ClientsRepository), 'listOwned').mockImplementation(async () => {
      started += 1;
      await end;
      return { data: [], next: null };
    });
  });
  afterEach(async () => {
    endAll();
    jest.restoreAllMocks();
    await app.stop();
  });

  /** Sends requests, and waits until each of them hangs or has been rejected. */
  const hang = async (count: number, token: string, from: string) => {
    const rejected: HttpResponse[] = [];
    let settled = 0;
    const before = started;
    const all = atOnce(count, async () => {
      const response = await app.get('/clients', { token, from });
      if (response.status !== 200) rejected.push(response);
      settled += 1;
      return response;
    });
    while (started - before + settled < count) await new Promise(setImmediate);
    return { rejected, all };
  };
  const register = () => registerDeveloper(app);

  it('of one account take 32 places, and none of its others', async () => {
    const [ada, bob] = [await register(), await register()];
    const { rejected, all } = await hang(40, ada.token, '203.0.113.1');

    expect(rejected).toHaveLength(8);
    for (const { status, body, headers } of rejected) {
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
      expect(body).toMatchObject({ code: 'TOO_MANY_CONCURRENT_REQUESTS' });
    }
    const { rejected: others } = await hang(1, bob.token, '203.0.113.1');
    expect(others).toEqual([]);
    endAll();
    expect((await all).filter(({ status }) => status === 200)).toHaveLength(32);
    expect((await app.get('/clients', { token: ada.token })).status).toBe(200);
  });

  it('of one address take 64 places, and none of another address', async () => {
    const developers = [await register(), await register(), await register()];
    const loads = [];
    for (const { token } of developers) loads.push(await hang(30, token, '203.0.113.2'));

    expect(loads.map(({ rejected }) => rejected.length)).toEqual([0, 0, 26]);
    const { rejected } = await hang(1, developers[0]!.token, '203.0.113.3');
    expect(rejected).toEqual([]);
    endAll();
    await Promise.all(loads.map(({ all }) => all));
  });

  it('of logins take 32 places, and none of other work', async () => {
    const customer = await register();
    let endLogins: () => void = () => undefined;
    const end = new Promise<boolean>((resolve) => (endLogins = () => resolve(false)));
    const verify = jest.spyOn(app.nest.get(PasswordHasher), 'verify').mockReturnValue(end);
    const rejected: HttpResponse[] = [];
    const logins = atOnce(40, async (i) => {
      const from = `203.0.113.${i}`;
      const response = await app.post(
        '/auth/login',
        { email: `ada${i}@example.com`, password: 'x' },
        { from },
      );
      if (response.status === 503) rejected.push(response);
      return response.status;
    });
    while (verify.mock.calls.length + rejected.length < 40) await new Promise(setImmediate);

    expect(rejected.map(({ body }) => body.code)).toEqual(Array(8).fill('OVERLOADED'));
    expect((await app.get(`/clients/${NOBODYS}`, customer)).status).toBe(404);
    endLogins();
    expect((await logins).filter((status) => status === 401)).toHaveLength(32);
  });

  it('take nothing from license checks, however many they are', async () => {
    const customer = await register();
    const license = await createLicense(app, customer);
    const fingerprint = 'fingerprint-of-a-customer';
    const developers = await atOnce(12, register);
    const loads = [];
    for (const [i, { token }] of developers.entries()) {
      loads.push(await hang(30, token, `203.0.113.${10 + i}`));
    }
    const statuses = loads.flatMap(({ rejected }) => rejected.map(({ status }) => status));
    expect(statuses).toContain(503);
    expect(statuses).not.toContain(429);

    const check = (path: string) => app.post(path, { key: license.key, fingerprint });
    expect((await check('/validate/activate')).status).toBe(200);
    const checks = await atOnce(60, () => check('/validate'));
    expect(checks.map(({ status, body }) => [status, body.valid])).toEqual(
      Array(60).fill([200, true]),
    );
    expect((await app.get('/health/ready')).status).toBe(200);
    endAll();
    await Promise.all(loads.map(({ all }) => all));
  });
});
