import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Metrics } from '../../../src/metrics/metrics.js';
import { Deadline } from '../../../src/shared/request-context.js';
import { TestApp } from '../../app.js';
import { describeOnMongo, UNHURRIED } from '../../engines.js';
import { Exposition } from '../../exposition.js';
import { freePort } from '../../free-port.js';
import type { HttpResponse } from '../../http-caller.js';
import { ReplicaSet } from '../../mongod/replica-set.js';
import { expectError } from '../responses.js';

// A response is sent within 3 s of its request; the rest is for a machine under load, which may be late.
const LATEST_MS = 5_000;

describeOnMongo('R5: the service while its MongoDB hangs', () => {
  let mongod: ReplicaSet | undefined;
  let app: TestApp;

  afterAll(async () => {
    mongod?.members[0]!.process?.kill('SIGCONT');
    await app?.stop();
    await mongod?.remove();
  });

  const linesOf = (message: string) =>
    app.log.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === message);
  const isReachable = async () =>
    new Exposition(await app.nest.get(Metrics).text()).valueOf('license_service_mongodb_reachable');

  it('fails each request by its deadline, is alive and not ready, logs one outage, and does a repeated write once after it', async () => {
    mongod = await ReplicaSet.start();
    const uri = new URL(mongod.uri());
    uri.pathname = `/outage-${randomUUID()}`;
    /** As it is in production, once everything is prepared. */
    const deadline = { ...UNHURRIED };
    const env = {
      // Limits that nothing reaches, and that cannot be counted now.
      ...{ ACTIVATION_LIMIT: '99', GUESS_LIMIT: '99', ADDRESS_LIMIT: '99', WRITE_LIMIT: '99' },
      ...{ METRICS_PORT: String(await freePort('127.0.0.1')), MONGODB_URI: uri.href },
    };
    app = await TestApp.start('MongoDB', env, { deadline });
    const ada = await app.register();
    const { _id: clientId } = await app.createClient(ada);
    const { key } = (await app.createProject(ada, clientId)).license;
    const createOnce = () =>
      app.post(
        '/projects/createProject',
        { clientId, projectName: 'Web shop', duration: 6, services: ['Hosting'] },
        { ...ada, headers: { 'Idempotency-Key': 'once' } },
      );
    deadline.milliseconds = new Deadline().milliseconds;
    mongod.members[0]!.process!.kill('SIGSTOP');
    // A signal takes a moment to reach every thread of the server.
    while ((await app.get('/health/ready')).status === 200) await setTimeout(10);

    const calls: [status: number, send: () => Promise<HttpResponse>][] = [
      [503, () => app.post('/auth/login', { email: ada.email, password: 'x' })],
      [500, createOnce],
      [500, () => app.post('/validate/activate', { key })],
      [503, () => app.post('/validate', { key })],
      [503, () => app.post('/auth/refresh', { refreshToken: ada.refreshToken })],
      [503, () => app.get('/dashboard', ada)],
      [503, () => app.get('/dashboard/summary', ada)],
      [503, () => app.get('/events.ndjson', ada)],
    ];
    // All at once, as each takes as long as its deadline.
    const begin = performance.now();
    const responses = await Promise.all(calls.map(([, send]) => send()));
    expect(performance.now() - begin).toBeLessThan(LATEST_MS);
    for (const [i, response] of responses.entries()) {
      expect(response.status).toBe(calls[i]![0]);
      expect(response.headers.get('retry-after')).toBe('1');
      if (response.status === 503) expectError(response, [503, 'STORE_UNAVAILABLE']);
    }
    expect((await app.get('/health/live')).status).toBe(200);
    expectError(await app.get('/health/ready'), [503, 'STORE_UNAVAILABLE']);
    expect(await isReachable()).toBe(0);

    while (linesOf('the store is unreachable').length === 0) await setTimeout(10);
    expect(linesOf('the store is unreachable')).toEqual([expect.objectContaining({ level: 50 })]);
    expect(linesOf('STORE_UNAVAILABLE').length).toBeGreaterThanOrEqual(calls.length);

    deadline.milliseconds = UNHURRIED.milliseconds;
    mongod.members[0]!.process!.kill('SIGCONT');
    while ((await app.get('/health/ready')).status !== 200) await setTimeout(10);
    const created = await createOnce();
    expect(created.status).toBe(201);
    expect((await createOnce()).body).toEqual(created.body);
    const later = await app.logIn(ada);
    expect((await app.get(`/projects?clientId=${clientId}`, later)).body.data).toHaveLength(2);
    const [line, ...others] = linesOf('the store is reachable again');
    expect(line).toMatchObject({ level: 30, seconds: expect.any(Number) as number });
    expect([others, await isReachable()]).toEqual([[], 1]);
  });
});
