import { ClientsRepository } from '../../../src/clients/clients.repository.js';
import { WorkClasses } from '../../../src/server/overload/work-classes.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { OVERLOAD_REASONS } from '../../../src/shared/errors/rejected-by.js';
import { TestApp } from '../../app.js';
import { ENGINES, type Engine } from '../../engines.js';
import { Exposition } from '../../exposition.js';
import { fetchWhole } from '../../fetch-whole.js';
import { freePort } from '../../free-port.js';
import {
  createClient,
  createLicense,
  type CreatedLicense,
  type LoggedInDeveloper,
  NOBODYS,
  PASSWORD,
  registerDeveloper,
  unknownKey,
} from '../developer.js';

const MACHINE = 'fingerprint-of-a-machine';
const DAY = 86_400;

/** An application with metrics on a port of their own. */
async function startMeasured(engine: Engine, env: NodeJS.ProcessEnv = {}) {
  const METRICS_PORT = String(await freePort('127.0.0.1'));
  const app = await TestApp.start(engine, { METRICS_PORT, ...env });
  const read = async () => {
    const { text } = await fetchText(`http://127.0.0.1:${METRICS_PORT}/metrics`);
    return new Exposition(text);
  };
  /** Expects that a series grows by one for each cause. */
  const expectToCount = async (
    name: string,
    labels: Readonly<Record<string, string>>,
    cause: () => Promise<unknown>,
  ) => {
    const before = (await read()).valueOf(`license_service_${name}`, labels);
    await cause();
    expect((await read()).valueOf(`license_service_${name}`, labels)).toBe(before + 1);
  };
  return { app, read, expectToCount };
}

async function fetchText(url: string) {
  const response = await fetchWhole(url);
  expect(response.status).toBe(200);
  return response;
}

describe.each(ENGINES)('The metrics on %s', (engine) => {
  let measured: Awaited<ReturnType<typeof startMeasured>>;
  let app: TestApp;
  let ada: LoggedInDeveloper;
  let license: CreatedLicense;

  beforeAll(async () => {
    measured = await startMeasured(engine);
    app = measured.app;
    ada = await registerDeveloper(app);
    license = await createLicense(app, ada);
  });
  afterAll(() => app.stop());

  const check = (path: string, key = license.key, fingerprint = MACHINE) =>
    app.post(path, { key, fingerprint });

  it('count each outcome of an activation and a validation', async () => {
    const activated = (outcome: string, key?: string, fingerprint?: string) =>
      measured.expectToCount('activations_total', { outcome }, () =>
        check('/validate/activate', key, fingerprint),
      );
    const validated = (outcome: string, key?: string, fingerprint?: string) =>
      measured.expectToCount('validations_total', { outcome }, () =>
        check('/validate', key, fingerprint),
      );
    await validated('pending');
    await activated('activated');
    await activated('already_active');
    await activated('other_machine', license.key, 'another-fingerprint');
    await activated('not_found', unknownKey());
    await validated('active');
    await validated('machine_mismatch', license.key, 'another-fingerprint');
    await validated('invalid', unknownKey());
    const revoked = await createLicense(app, ada);
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    await activated('revoked', revoked.key);
    await validated('revoked', revoked.key);
    app.clock.advance({ seconds: 300 * DAY });
    await activated('expired');
    await validated('expired');
    app.clock.advance({ seconds: -300 * DAY });
  });

  it('count requests by route, method and status, and measure them', async () => {
    const route = { method: 'GET', route: '/clients/:id' };
    const read = () => app.get(`/clients/${NOBODYS}`, ada);
    await measured.expectToCount('http_requests_total', { ...route, status: '404' }, read);
    await measured.expectToCount('http_request_duration_seconds_count', route, read);
  });

  it('count requests without a route together, whatever their paths', async () => {
    const labels = { method: 'GET', route: 'none', status: '404' };
    await measured.expectToCount('http_requests_total', labels, () =>
      fetchWhole(`${app.url}/${license.key}?key=${license.key}`),
    );
  });

  it('measure the operations of the store', async () => {
    const operation = engine === 'SQLite' ? 'write' : 'statement';
    const before = await measured.read();
    await app.patch(`/clients/${license.client}`, { name: 'Acme' }, ada);
    const after = await measured.read();

    const labels = { engine: engine.toLowerCase(), operation };
    const count = 'license_service_store_operation_duration_seconds_count';
    expect(after.valueOf(count, labels)).toBeGreaterThan(before.valueOf(count, labels));
  });

  (engine === 'SQLite' ? it : it.skip)('count the writes that shared a commit', async () => {
    await measured.expectToCount('sqlite_group_commit_writes_count', {}, () =>
      createClient(app, ada),
    );
    const group = await measured.read();
    await Promise.all([createClient(app, ada), createClient(app, ada)]);
    const sum = 'license_service_sqlite_group_commit_writes_sum';
    expect((await measured.read()).valueOf(sum)).toBe(group.valueOf(sum) + 2);
  });

  (engine === 'MongoDB' ? it : it.skip)('show the connections of the pool', async () => {
    const pool = await measured.read();
    expect(pool.valueOf('license_service_mongodb_pool_connections')).toBeGreaterThan(0);
    expect(pool.valueOf('license_service_mongodb_pool_wait_seconds_count')).toBeGreaterThan(0);
  });

  it('hold no key, token, fingerprint, e-mail address or id of an account', async () => {
    const { text } = await measured.read();
    for (const secret of [license.key, ada.token, ada.refreshToken, MACHINE, ada.email, ada._id]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/127\.0\.0\.1|@/);
  });
});

describe('The metrics of rejections', () => {
  const ONE = {
    ACTIVATION_LIMIT: '1',
    VALIDATION_LIMIT: '1',
    VALIDATION_ADDRESS_LIMIT: '2',
    UNKNOWN_KEY_LIMIT: '1',
    LOGIN_LIMIT: '1',
    REGISTER_LIMIT: '1',
    REFRESH_LIMIT: '1',
    KEY_SET_LIMIT: '1',
    EMAIL_CONFLICT_LIMIT: '1',
    WRITE_LIMIT: '20',
  };
  let measured: Awaited<ReturnType<typeof startMeasured>>;
  let app: TestApp;
  let ada: LoggedInDeveloper;

  beforeAll(async () => {
    measured = await startMeasured('SQLite', ONE);
    app = measured.app;
    ada = await registerDeveloper(app);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  const validate = (number: number, from: string) =>
    app.post('/validate', { key: unknownKey(number), fingerprint: MACHINE }, { from });
  const logInWrongly = (email: string, from: string) =>
    app.post('/auth/login', { email, password: 'a wrong password' }, { from });
  const register = (from: string) =>
    app.post(
      '/auth/register',
      { name: 'Eve', email: 'eve@example.com', password: PASSWORD },
      { from },
    );
  const takeEmail = async () => {
    const { email } = await createClient(app, ada);
    for (let i = 0; i < 2; i++) await createClient(app, ada, { email });
  };

  // Each from addresses of its own, and with one rejection at the end.
  it.each<[limit: string, cause: () => Promise<unknown>]>([
    [
      'activation',
      async () => {
        const key = unknownKey();
        for (let i = 0; i < 2; i++) {
          await app.post(
            '/validate/activate',
            { key, fingerprint: MACHINE },
            { from: '192.0.2.1' },
          );
        }
      },
    ],
    [
      'validation',
      async () => {
        for (let i = 0; i < 2; i++) await validate(1, '192.0.2.2');
      },
    ],
    [
      'validationAddress',
      async () => {
        for (let i = 0; i < 3; i++) await app.post('/validate', {}, { from: '192.0.2.3' });
      },
    ],
    [
      'unknownKeys',
      async () => {
        for (let i = 0; i < 2; i++) await validate(i, '192.0.2.4');
      },
    ],
    [
      'loginByAddress',
      async () => {
        for (let i = 0; i < 2; i++) await logInWrongly(`${i}@example.com`, '192.0.2.5');
      },
    ],
    [
      'loginByAccount',
      async () => {
        for (let i = 0; i < 4; i++) await logInWrongly('bob@example.com', `192.0.2.${10 + i}`);
      },
    ],
    [
      'registration',
      async () => {
        for (let i = 0; i < 2; i++) await register('192.0.2.6');
      },
    ],
    [
      'refresh',
      async () => {
        const body = { refreshToken: 'unknown' };
        for (let i = 0; i < 2; i++) await app.post('/auth/refresh', body, { from: '192.0.2.7' });
      },
    ],
    [
      'keySets',
      async () => {
        for (let i = 0; i < 2; i++) await app.get(`/keys/${NOBODYS}`, { from: '192.0.2.8' });
      },
    ],
    ['emailConflicts', takeEmail],
    [
      'writes',
      async () => {
        let status;
        do ({ status } = await app.patch(`/clients/${NOBODYS}`, {}, ada));
        while (status !== 429);
      },
    ],
  ])('count those by the limit %s', async (limit, cause) => {
    await measured.expectToCount('rate_limit_rejections_total', { limit }, cause);
  });

  it('count those before a request is read by their class of work, and are served meanwhile', async () => {
    const { licenseChecks, other } = app.nest.get(WorkClasses);
    jest.spyOn(licenseChecks, 'tryAdmit').mockReturnValue(false);
    jest.spyOn(other, 'tryAdmit').mockReturnValue(false);
    for (const [work_class, send] of [
      ['licenseChecks', () => validate(1, '192.0.2.20')],
      ['other', () => app.get('/clients', ada)],
    ] as const) {
      const labels = { work_class, reason: 'capacity' };
      await measured.expectToCount('overload_rejections_total', labels, send);
    }
  });

  it.each(OVERLOAD_REASONS)('count those by %s of a request that was read', async (reason) => {
    jest
      .spyOn(app.nest.get(ClientsRepository), 'listOwned')
      .mockRejectedValue(new DomainError('OVERLOADED', {}, { rejectedBy: reason }));
    const labels = { work_class: 'other', reason };
    await measured.expectToCount('overload_rejections_total', labels, () =>
      app.get('/clients', ada),
    );
  });
});
