import fs from 'node:fs';
import { ClientsService } from '../../../src/clients/clients.service.js';
import { Capacity } from '../../../src/http/capacity.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { Exposition } from '../../exposition.js';
import { exchange } from '../../http-exchange.js';
import { freePort } from '../../free-port.js';
import {
  DESKTOP,
  LAPTOP,
  type LoggedInDeveloper,
  NOBODYS,
  PASSWORD,
  unknownKey,
} from '../developer.js';

const DAY = 86_400;
const RULES = ['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yaml'];
/** Present only in the log of the built program: test/smoke/starts.e2e-spec.ts. */
const OF_LOG = 'license_service_log_lines_dropped_total';
const itOnMongo = ENGINES.includes('MongoDB') ? it : it.skip;

describe('The metrics', () => {
  let app: TestApp;
  let ada: LoggedInDeveloper;
  let url: string;

  beforeAll(async () => {
    const METRICS_PORT = String(await freePort('127.0.0.1'));
    url = `http://127.0.0.1:${METRICS_PORT}/metrics`;
    app = await TestApp.start('SQLite', {
      ...{ METRICS_PORT, ACTIVATION_LIMIT: '7', GUESS_LIMIT: '1', WRITE_LIMIT: '20' },
    });
    ada = await app.register();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  const read = async (from = url) => {
    const response = await exchange(from);
    expect(response.status).toBe(200);
    return new Exposition(response.text);
  };
  /** Expects a series to grow by this during an action. */
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

  it.each(['ExpirySweep', 'LogTruncation', 'Deliveries'])(
    'count the failed steps of %s, starting at 0',
    async (name) => {
      const { text } = await exchange(url);
      expect(text).toContain(`license_service_job_failures_total{name="${name}"} 0`);
    },
  );

  it('count each outcome of an activation and a validation', async () => {
    const [license, revoked] = [await app.createLicense(ada), await app.createLicense(ada)];
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    const expectOutcomes = async (key: string, fingerprint: string, ...outcomes: string[]) => {
      const [validation, activation] = outcomes as [string, string];
      const check = (path: string) => () => app.post(path, { key, fingerprint });
      await expectToCount('validations_total', { outcome: validation }, check('/validate'));
      const activate = check('/validate/activate');
      await expectToCount('activations_total', { outcome: activation }, activate);
    };
    await expectOutcomes(license.key, LAPTOP, 'pending', 'activated');
    await expectOutcomes(license.key, LAPTOP, 'active', 'already_active');
    await expectOutcomes(license.key, DESKTOP, 'machine_mismatch', 'other_machine');
    await expectOutcomes(unknownKey(), LAPTOP, 'invalid', 'not_found');
    await expectOutcomes(revoked.key, LAPTOP, 'revoked', 'revoked');
    app.clock.advance({ seconds: 300 * DAY });
    await expectOutcomes(license.key, LAPTOP, 'expired', 'expired');
    app.clock.advance({ seconds: -300 * DAY });
  });

  it('count and measure requests by route, method and status (together if they have no route), and store commits', async () => {
    const route = { method: 'GET', route: '/clients/:id' };
    const readClient = () => app.get(`/clients/${NOBODYS}`, ada);
    await expectToCount('http_requests_total', { ...route, status: '404' }, readClient);
    await expectToCount('http_request_duration_seconds_count', route, readClient);
    const none = { method: 'GET', route: 'none', status: '404' };
    const key = unknownKey();
    await expectToCount('http_requests_total', none, () => app.get(`/${key}?key=${key}`));

    const create = () => app.createClient(ada);
    const twice = () => Promise.all([create(), create()]);
    const commit = { engine: 'sqlite', operation: 'commit' };
    await expectToCount('store_operation_duration_seconds_count', commit, create);
    await expectToCount('store_batch_commits_sum', {}, twice, 2);
  });

  it('count the rejections of each kind of limit', async () => {
    const validate = (key: string) => app.post('/validate', { key }, { from: '192.0.2.3' });
    const login = { email: 'bob@example.com', password: PASSWORD };
    const taken = { name: 'Acme', email: 'taken@example.com' };
    for (const [limit, send] of [
      ['activation', () => app.post('/validate/activate', { key: unknownKey() })],
      ['unknownKeys', (i: number) => validate(unknownKey(i))],
      [
        'loginByAccount',
        (i: number) => app.post('/auth/login', login, { from: `198.51.100.${i}` }),
      ],
      ['emailConflicts', () => app.post('/clients', taken, ada)],
      ['writes', () => app.patch(`/clients/${NOBODYS}`, {}, ada)],
    ] as const) {
      const untilRejected = async () => {
        for (let i = 0; i < 30; i++) if ((await send(i)).status === 429) return;
        throw new Error(`${limit} never rejects`);
      };
      await expectToCount('rate_limit_rejections_total', { limit }, untilRejected);
    }
  });

  it('count rejections by overload by their class of work and reason', async () => {
    const rejected = (work_class: string, reason: string, send: () => Promise<unknown>) =>
      expectToCount('overload_rejections_total', { work_class, reason }, send);
    const list = () => app.get('/clients', ada);
    const error = new DomainError('OVERLOADED', {}, { rejectedBy: 'store_queue' });
    jest.spyOn(app.nest.get(ClientsService), 'list').mockRejectedValue(error);
    await rejected('other', 'store_queue', list);
    jest.spyOn(app.nest.get(Capacity), 'take').mockReturnValue(false);
    await rejected('licenseChecks', 'capacity', () => app.post('/validate', {}));
    await rejected('other', 'capacity', list);
  });

  it('contain no key, token, fingerprint, email address or account id', async () => {
    const { token, refreshToken, email, _id } = ada;
    const { text } = await read();
    for (const secret of [token, refreshToken, LAPTOP, email, _id, 'LIC-']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/127\.0\.0\.1|@/);
  });

  itOnMongo('have every name used by the dashboard, the alerts and the documentation', async () => {
    const port = await freePort('127.0.0.1');
    const other = await TestApp.start('MongoDB', { METRICS_PORT: String(port) });
    const onMongo = await read(`http://127.0.0.1:${port}/metrics`);
    await other.stop();
    const onSqlite = await read();
    const exported = new Set([...onSqlite.names, ...onMongo.names, OF_LOG]);
    for (const file of RULES) {
      const used = fs.readFileSync(file, 'utf8').match(/\b(license_service|nodejs|process)_\w+/g);
      expect(used?.length).toBeGreaterThan(5);
      expect(used?.filter((name) => !exported.has(name))).toEqual([]);
    }
    const page = fs.readFileSync('docs/operate/monitoring.md', 'utf8');
    const documented = [...page.matchAll(/^\| `(license_service_\w+)`/gm)].map(([, name]) => name);
    const all = [...onSqlite.metrics, ...onMongo.metrics, OF_LOG];
    const own = new Set(all.filter((name) => name.startsWith('license_')));
    expect(documented.toSorted()).toEqual([...own].sort());
  });

  it('have every label value used by the dashboard and the alerts', async () => {
    await app.post('/validate', {});
    const { text } = await read();
    const named = RULES.flatMap((file) => [
      ...fs.readFileSync(file, 'utf8').matchAll(/\b(\w+)=~?\\?"([\w/|]+)\\?"/g),
    ]);
    const pairs = named.flatMap(([, label, values]) =>
      values!.split('|').map((value) => `${label}="${value}"`),
    );
    expect(pairs).toEqual(expect.arrayContaining(['route="/validate"', 'reason="capacity"']));
    expect(pairs.filter((pair) => !text.includes(pair))).toEqual([]);
  });
});
