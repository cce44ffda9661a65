import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import net from 'node:net';
import { json } from 'node:stream/consumers';
import { MongoMemoryServer } from 'mongodb-memory-server-core';
import { type CreatedLicense, LAPTOP, PASSWORD } from '../e2e/developer.js';
import { SECRETS } from '../engines.js';
import { freePort } from '../free-port.js';
import { exchange } from '../http-exchange.js';
import { expectOneSentence, Operator, type RunningService, useOperator } from './operator.js';

// R7: the time from the signal to the exit.
const LONGEST_END_MS = 10_000;
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };

/** Windows has neither file modes nor signals. */
const onPosix = process.platform === 'win32' ? describe.skip : describe;

onPosix('A service that stops and starts again', () => {
  const operator = useOperator();
  const secret = randomBytes(48).toString('base64');
  const data = (...names: string[]) => operator.path('elsewhere', ...names);
  const modeOf = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);
  const rotations = ({ stdout }: RunningService) =>
    stdout.split('"event":"secret_rotated"').length - 1;
  let license: CreatedLicense;
  let token: string;

  it('gives the environment precedence over .env, and completes accepted requests before it exits, serving metrics until then', async () => {
    const secrets = 'JWT_SECRET=2f6f3c0a9d4b41d08e7c5a1b-of-this-test\n';
    const variables = `DATA_DIR=./elsewhere\nREGISTRATION=closed\n${secrets}`;
    fs.writeFileSync(operator.path('.env'), variables, { mode: 0o600 });
    const METRICS_PORT = String(await freePort('127.0.0.1'));
    const service = await operator.start({ REGISTRATION: 'open', METRICS_PORT });
    const metrics = `http://127.0.0.1:${METRICS_PORT}/metrics`;
    expect(service.stderr).toContain(`\n  metrics         ${metrics}\n`);
    expect((await service.get('/metrics')).status).toBe(404);
    // Open connections do not delay the exit.
    const idle = net.connect(Number(METRICS_PORT), '127.0.0.1').resume();
    await once(idle, 'connect');
    license = await service.createLicense(await service.register());
    expect((await service.activate(license, LAPTOP)).status).toBe(200);
    const request = await beginRegistration(service);
    const ending = expectEnd(service, 'SIGTERM');
    while (await isListening(service));
    const { text } = await exchange(metrics);
    expect(text).toContain('\nlicense_service_log_lines_dropped_total 0\n');
    expect(text).toContain('\nlicense_service_build_info{version="1.0.0"} 1\n');
    request.end(JSON.stringify(ACCOUNT));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(201);
    token = ((await json(response)) as { accessToken: string }).accessToken;
    await ending;
    expect(service.stdout).toContain(`"metrics":"${metrics}"`);
    expect(service.stdout).toMatch(/"SIGTERM","msg":"stopping"[^]+"SIGTERM","msg":"stopped"/);
    expect(service.stderr).not.toContain('warning');
    expect(service.stdout).not.toContain('"level":40');
    expect(fs.readdirSync(operator.folder).sort()).toEqual(['.env', 'elsewhere']);
  });

  it('S22: makes its data folder private and replaces LICENSE_SECRET, logs each once, and exits in time with an idle connection', async () => {
    fs.chmodSync(data(), 0o755);
    const service = await operator.start({
      LICENSE_SECRET: secret,
      LICENSE_SECRET_PREVIOUS: fs.readFileSync(data('license-secret'), 'utf8').trim(),
      SHUTDOWN_DRAIN: '0',
    });
    expect((await service.get('/auth/me', { token })).body.email).toBe(ACCOUNT.email);
    expect(await service.validationOf(license, LAPTOP)).toBe('active');
    // The caller keeps its connections open.
    await expectEnd(service, 'SIGINT');

    // The log is complete after the exit.
    const lines = service.stdout.trimEnd().split('\n');
    const warned = lines
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ level }) => level === 40);
    expect(modeOf(data())).toBe('700');
    expect(warned).toHaveLength(1);
    for (const { msg } of warned) expect(service.stderr).toContain(`  warning         ${msg}\n`);
    expect(rotations(service)).toBe(1);
  });

  it('S22: opens its store with only the new LICENSE_SECRET', async () => {
    const service = await operator.start({ LICENSE_SECRET: secret, SHUTDOWN_DRAIN: '0' });
    expect(await service.validationOf(license, LAPTOP)).toBe('active');
    await service.end('SIGTERM');
    expect(rotations(service)).toBe(0);
    const ending = await operator.failToStart();
    expectOneSentence(
      ending,
      'LICENSE_SECRET does not match this store',
      'LICENSE_SECRET_PREVIOUS',
    );
  });
});

async function expectEnd(service: RunningService, signal: NodeJS.Signals): Promise<void> {
  const sent = performance.now();
  const { code } = await service.end(signal);
  expect(code).toBe(0);
  expect(performance.now() - sent).toBeLessThan(LONGEST_END_MS);
}

/** Starts a request: the service has read its head and waits for the body. */
async function beginRegistration({ url }: RunningService): Promise<http.ClientRequest> {
  const request = http.request(`${url}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Expect: '100-continue' },
  });
  request.flushHeaders();
  await once(request, 'continue');
  return request;
}

const isListening = (service: RunningService): Promise<boolean> =>
  service.get('/health/live').then(
    () => true,
    () => false,
  );

const itWithMongod = process.env.TEST_MONGOD ? it.concurrent : it.concurrent.skip;

describe('A start that fails prints the cause and the remedy in one sentence:', () => {
  const operator = useOperator();

  it.concurrent.each([
    [
      'a variable that is wrong, and a secret that is a placeholder (S10)',
      { PORT: 'http', JWT_SECRET: 'change-me-change-me-hunter2' },
      ['PORT must be', 'JWT_SECRET must be', 'openssl rand'],
    ],
    // Nothing listens on port 1: connections to it are refused immediately.
    [
      'a database server that does not respond',
      { ...SECRETS, MONGODB_URI: 'mongodb://admin:hunter2@127.0.0.1:1/licenses' },
      ['127.0.0.1:1', 'Start it', 'MONGODB_URI'],
    ],
  ])('%s; and leaves nothing behind', async (_case, env, words) => {
    const starter = new Operator();
    const ending = await starter.failToStart(env);

    expectOneSentence(ending, ...words);
    expect(ending.stdout + ending.stderr).not.toContain('hunter2');
    expect(fs.readdirSync(starter.folder)).toEqual([]);
    await starter.leave();
  });

  itWithMongod('a server outside a replica set', async () => {
    const standalone = await MongoMemoryServer.create({
      instance: { storageEngine: 'wiredTiger', launchTimeout: 60_000, args: ['--nounixsocket'] },
    });
    try {
      const MONGODB_URI = standalone.getUri('licenses');
      const ending = await operator.failToStart({ ...SECRETS, MONGODB_URI });

      expectOneSentence(ending, 'MONGODB_URI is standalone', '--replSet', 'rs.initiate()');
    } finally {
      await standalone.stop({ doCleanup: true, force: true });
    }
  });

  it.concurrent('a port that is in use', async () => {
    const { port } = new URL((await operator.start()).url);
    const ending = await operator.failToStart({ PORT: port, DATA_DIR: 'another' });

    expectOneSentence(ending, `127.0.0.1:${port} is already in use`, 'set a different PORT');
  });
});
