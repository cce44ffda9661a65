import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Metrics } from '../../../src/shared/metrics/metrics.js';
import { Deadline } from '../../../src/shared/request-context.js';
import { TestApp } from '../../app.js';
import { describeOnMongo, UNHURRIED } from '../../engines.js';
import { Exposition } from '../../exposition.js';
import { freePort } from '../../free-port.js';
import type { HttpResponse } from '../../http-caller.js';
import { OwnMongod } from '../../mongod/own-mongod.js';
import {
  createClient,
  createProject,
  type LoggedInDeveloper,
  PASSWORD,
  registerDeveloper,
} from '../developer.js';

// A response is sent within 3 s of its request; the rest is for a machine under load, which may be late.
const LATEST_MS = 5_000;

describeOnMongo('The service while its MongoDB hangs', () => {
  /** As it is in production, once everything is prepared. */
  const deadline = { ...UNHURRIED };
  let mongod: OwnMongod | undefined;
  let app: TestApp;
  let ada: LoggedInDeveloper;
  let clientId: string;
  let key: string;

  beforeAll(async () => {
    mongod = await OwnMongod.start();
    const uri = new URL(mongod.uri);
    uri.pathname = `/outage-${randomUUID()}`;
    // Limits that nothing reaches, and that cannot be counted now.
    const limits = {
      ACTIVATION_LIMIT: '99',
      LOGIN_LIMIT: '99',
      REFRESH_LIMIT: '99',
      WRITE_LIMIT: '99',
    };
    const METRICS_PORT = String(await freePort('127.0.0.1'));
    const env = { ...limits, METRICS_PORT, MONGODB_URI: uri.href };
    app = await TestApp.start('MongoDB', env, { deadline });
    ada = await registerDeveloper(app);
    clientId = (await createClient(app, ada))._id;
    key = (await createProject(app, ada, clientId)).license.key;
    deadline.milliseconds = new Deadline().milliseconds;
    mongod?.signal('SIGSTOP');
    // A signal takes a moment to reach every thread of the server.
    while ((await app.get('/health/ready')).status === 200) await setTimeout(10);
  });
  afterAll(async () => {
    mongod?.signal('SIGCONT');
    await app?.stop();
    await mongod?.stop();
  });

  const linesOf = (message: string) =>
    app.log.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === message);
  const measured = async () => new Exposition(await app.nest.get(Metrics).text());

  const project = { projectName: 'Web shop', duration: 6, services: ['Hosting'] };
  const createOnce = () =>
    app.post(
      '/projects/createProject',
      { ...project, clientId },
      { ...ada, headers: { 'Idempotency-Key': 'once' } },
    );

  const timed = async (send: () => Promise<HttpResponse>) => {
    const begin = performance.now();
    const response = await send();
    expect(performance.now() - begin).toBeLessThan(LATEST_MS);
    return response;
  };

  describe('called while it hangs,', () => {
    const CALLS: [name: string, status: number, send: () => Promise<HttpResponse>][] = [
      ['a login', 503, () => app.post('/auth/login', { email: ada.email, password: PASSWORD })],
      ['the creation of a project', 500, createOnce],
      ['an activation', 500, () => app.post('/validate/activate', { key })],
      ['a validation', 503, () => app.post('/validate', { key })],
      ['a refresh', 503, () => app.post('/auth/refresh', { refreshToken: ada.refreshToken })],
      ['a dashboard', 503, () => app.get('/dashboard', ada)],
      ['a summary', 503, () => app.get('/dashboard/summary', ada)],
    ];
    let responses: HttpResponse[];

    // All at once, as each takes as long as its deadline.
    beforeAll(async () => {
      responses = await Promise.all(CALLS.map(([, , send]) => timed(send)));
    });

    it.each(CALLS)('fails %s by its deadline, with %i', (name, status) => {
      const response = responses[CALLS.findIndex((call) => call[0] === name)]!;
      expect(response.status).toBe(status);
      expect(response.headers.get('retry-after')).toBe('1');
      if (status === 503) expect(response.body.code).toBe('STORE_UNAVAILABLE');
    });
  });

  it('logs once that the store is unreachable, and of each failed request the cause without a stack', async () => {
    while (linesOf('the store is unreachable').length === 0) await setTimeout(10);
    expect(linesOf('the store is unreachable')).toEqual([expect.objectContaining({ level: 50 })]);
    const failed = linesOf('STORE_UNAVAILABLE');
    expect(failed.length).toBeGreaterThanOrEqual(7);
    for (const line of failed) {
      expect(line).toMatchObject({ level: 50, cause: { message: expect.any(String) as string } });
      expect(JSON.stringify(line)).not.toMatch(/"stack"|\bat \S+ \(/);
    }
  });

  it('shows in its metrics that the store is unreachable', async () => {
    expect((await measured()).valueOf('license_service_mongodb_reachable')).toBe(0);
  });

  it('is alive, and not ready', async () => {
    expect((await app.get('/health/live')).status).toBe(200);
    const ready = await timed(() => app.get('/health/ready'));
    expect(ready.status).toBe(503);
    expect(ready.body.code).toBe('STORE_UNAVAILABLE');
  });

  it('does a failed write once when it is repeated after the outage', async () => {
    deadline.milliseconds = UNHURRIED.milliseconds;
    mongod?.signal('SIGCONT');
    while ((await app.get('/health/ready')).status !== 200) await setTimeout(10);
    const created = await createOnce();
    expect(created.status).toBe(201);
    expect((await createOnce()).body).toEqual(created.body);
    const { data } = (await app.get(`/projects?clientId=${clientId}`, ada)).body;
    expect(data).toHaveLength(2);
    expect(linesOf('the store is reachable again')).toEqual([
      expect.objectContaining({ level: 30, seconds: expect.any(Number) as number }),
    ]);
    expect((await measured()).valueOf('license_service_mongodb_reachable')).toBe(1);
  });
});
