import { ClientsService } from '../../../src/clients/clients.service.js';
import { WorkClasses } from '../../../src/server/overload/work-classes.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { TestApp } from '../../app.js';
import { Exposition } from '../../exposition.js';
import { fetchWhole } from '../../fetch-whole.js';
import { freePort } from '../../free-port.js';
import type { HttpResponse } from '../../http-caller.js';
import {
  createClient,
  createLicense,
  DESKTOP,
  LAPTOP,
  type LoggedInDeveloper,
  NOBODYS,
  PASSWORD,
  registerDeveloper,
  unknownKey,
} from '../developer.js';

const DAY = 86_400;

/** An application with metrics on a port of their own, while the tests of the calling block run. */
function useMeasured(env: NodeJS.ProcessEnv = {}) {
  const measured = {} as { app: TestApp; ada: LoggedInDeveloper };
  let url: string;
  beforeAll(async () => {
    const METRICS_PORT = String(await freePort('127.0.0.1'));
    url = `http://127.0.0.1:${METRICS_PORT}/metrics`;
    measured.app = await TestApp.start('SQLite', { METRICS_PORT, ...env });
    measured.ada = await registerDeveloper(measured.app);
  });
  afterAll(() => measured.app.stop());
  const read = async () => {
    const response = await fetchWhole(url);
    expect(response.status).toBe(200);
    return new Exposition(response.text);
  };
  /** Expects that a series grows by this while something is done. */
  const expectToCount = async (
    name: string,
    labels: Readonly<Record<string, string>>,
    cause: () => Promise<unknown>,
    count = 1,
  ) => {
    const before = (await read()).valueOf(`license_service_${name}`, labels);
    await cause();
    const after = (await read()).valueOf(`license_service_${name}`, labels);
    expect([name, labels, after - before]).toEqual([name, labels, count]);
  };
  return { measured, read, expectToCount };
}

describe('The metrics', () => {
  const { measured, read, expectToCount } = useMeasured();

  it('count each outcome of an activation and a validation', async () => {
    const { app, ada } = measured;
    const [license, revoked] = [await createLicense(app, ada), await createLicense(app, ada)];
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    const expectOutcome = (
      kind: 'activation' | 'validation',
      outcome: string,
      key = license.key,
      fingerprint = LAPTOP,
    ) => {
      const path = kind === 'activation' ? '/validate/activate' : '/validate';
      const check = () => app.post(path, { key, fingerprint });
      return expectToCount(`${kind}s_total`, { outcome }, check);
    };

    await expectOutcome('validation', 'pending');
    await expectOutcome('activation', 'activated');
    await expectOutcome('activation', 'already_active');
    await expectOutcome('activation', 'other_machine', license.key, DESKTOP);
    await expectOutcome('activation', 'not_found', unknownKey());
    await expectOutcome('activation', 'revoked', revoked.key);
    await expectOutcome('validation', 'active');
    await expectOutcome('validation', 'machine_mismatch', license.key, DESKTOP);
    await expectOutcome('validation', 'invalid', unknownKey());
    await expectOutcome('validation', 'revoked', revoked.key);
    app.clock.advance({ seconds: 300 * DAY });
    await expectOutcome('activation', 'expired');
    await expectOutcome('validation', 'expired');
    app.clock.advance({ seconds: -300 * DAY });
  });

  it('count and measure requests by route, method and status, and those without a route together', async () => {
    const { app, ada } = measured;
    const route = { method: 'GET', route: '/clients/:id' };
    const readClient = () => app.get(`/clients/${NOBODYS}`, ada);
    await expectToCount('http_requests_total', { ...route, status: '404' }, readClient);
    await expectToCount('http_request_duration_seconds_count', route, readClient);
    const none = { method: 'GET', route: 'none', status: '404' };
    const key = unknownKey();
    await expectToCount('http_requests_total', none, () => app.get(`/${key}?key=${key}`));
  });

  it('measure the writes of the store, and how many shared a commit', async () => {
    const { app, ada } = measured;
    const create = () => createClient(app, ada);
    const twice = () => Promise.all([create(), create()]);
    const write = { engine: 'sqlite', operation: 'write' };

    await expectToCount('store_operation_duration_seconds_count', write, create);
    await expectToCount('sqlite_group_commit_writes_sum', {}, twice, 2);
  });

  it('hold no key, token, fingerprint, e-mail address or id of an account', async () => {
    const { token, refreshToken, email, _id } = measured.ada;
    const { text } = await read();
    for (const secret of [token, refreshToken, LAPTOP, email, _id, 'LIC-']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/127\.0\.0\.1|@/);
  });
});

describe('The metrics of rejections', () => {
  const { measured, expectToCount } = useMeasured({
    ...{ ACTIVATION_LIMIT: '1', VALIDATION_LIMIT: '1', VALIDATION_ADDRESS_LIMIT: '2' },
    ...{ UNKNOWN_KEY_LIMIT: '1', LOGIN_LIMIT: '1', REGISTER_LIMIT: '1', REFRESH_LIMIT: '1' },
    ...{ KEY_SET_LIMIT: '1', EMAIL_CONFLICT_LIMIT: '1', WRITE_LIMIT: '20' },
  });
  afterEach(() => jest.restoreAllMocks());

  /** Sends a request again and again until it is rejected by a limit, each time from an address of the test's own. */
  const untilRejected = async (send: (app: TestApp, i: number) => Promise<HttpResponse>) => {
    for (let i = 0; i < 30; i++) if ((await send(measured.app, i)).status === 429) return;
    throw new Error('It was never rejected');
  };
  const logIn = (app: TestApp, name: string | number, from: string) =>
    app.post('/auth/login', { email: `${name}@example.com`, password: PASSWORD }, { from });

  it.each<[limit: string, send: (app: TestApp, i: number) => Promise<HttpResponse>]>([
    ['activation', (app) => app.post('/validate/activate', { key: unknownKey() })],
    ['validation', (app) => app.post('/validate', { key: unknownKey() }, { from: '192.0.2.1' })],
    ['validationAddress', (app) => app.post('/validate', {}, { from: '192.0.2.2' })],
    [
      'unknownKeys',
      (app, i) => app.post('/validate', { key: unknownKey(i) }, { from: '192.0.2.3' }),
    ],
    ['loginByAddress', (app, i) => logIn(app, i, '192.0.2.4')],
    ['loginByAccount', (app, i) => logIn(app, 'bob', `198.51.100.${i}`)],
    ['registration', (app) => app.post('/auth/register', {}, { from: '192.0.2.5' })],
    ['refresh', (app) => app.post('/auth/refresh', { refreshToken: 'unknown' })],
    ['keySets', (app) => app.get(`/keys/${NOBODYS}`)],
    [
      'emailConflicts',
      (app, i) => {
        const body = { name: 'Acme', email: 'taken@example.com' };
        return app.post('/clients', body, i < 9 ? measured.ada : {});
      },
    ],
    ['writes', (app) => app.patch(`/clients/${NOBODYS}`, {}, measured.ada)],
  ])('count those by the limit %s', async (limit, send) => {
    await expectToCount('rate_limit_rejections_total', { limit }, () => untilRejected(send));
  });

  it('count those before a request is read by their class of work, and of a request that was read by its reason', async () => {
    const { app, ada } = measured;
    const rejected = (work_class: string, reason: string, send: () => Promise<unknown>) =>
      expectToCount('overload_rejections_total', { work_class, reason }, send);
    const list = () => app.get('/clients', ada);
    const error = new DomainError('OVERLOADED', {}, { rejectedBy: 'store_queue' });
    jest.spyOn(app.nest.get(ClientsService), 'list').mockRejectedValue(error);
    await rejected('other', 'store_queue', list);
    const { licenseChecks, other } = app.nest.get(WorkClasses);
    for (const each of [licenseChecks, other]) jest.spyOn(each, 'tryAdmit').mockReturnValue(false);
    await rejected('licenseChecks', 'capacity', () => app.post('/validate', {}));
    await rejected('other', 'capacity', list);
  });
});
