import fs from 'node:fs';
import { PASSWORD } from '../e2e/developer.js';
import { Operator } from './operator.js';

const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };

/** Windows has no file modes. */
const onPosix = process.platform === 'win32' ? describe.skip : describe;

onPosix('The files of an operator', () => {
  const operator = new Operator({ SHUTDOWN_DRAIN: '0' });
  const modeOf = (...names: string[]) =>
    (fs.statSync(operator.path(...names)).mode & 0o777).toString(8);

  afterAll(() => operator.leave());

  it('are read and made private: a .env below the environment, and warnings in the log and on stderr', async () => {
    const secrets = 'JWT_SECRET=2f6f3c0a9d4b41d08e7c5a1b-of-this-test\n';
    fs.writeFileSync(
      operator.path('.env'),
      `DATA_DIR=./elsewhere\nREGISTRATION=closed\n${secrets}`,
      { mode: 0o600 },
    );
    const first = await operator.start({ REGISTRATION: 'open' });
    expect((await first.post('/auth/register', ACCOUNT)).status).toBe(201);
    await first.end('SIGINT');
    expect(first.stderr).not.toContain('warning');
    expect(first.stdout).not.toContain('"level":40');
    expect(fs.readdirSync(operator.folder).sort()).toEqual(['.env', 'elsewhere']);

    const files = ['license-secret', 'licenses.sqlite', 'licenses.sqlite-owner'];
    fs.chmodSync(operator.path('elsewhere'), 0o755);
    for (const file of files) fs.chmodSync(operator.path('elsewhere', file), 0o644);
    fs.chmodSync(operator.path('.env'), 0o644);
    const service = await operator.start();
    expect((await service.get('/health/ready')).status).toBe(200);
    // The log is complete after the exit.
    await service.end('SIGTERM');
    const warned = service.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ level }) => level === 40);

    expect(modeOf('elsewhere')).toBe('700');
    for (const file of files) expect(modeOf('elsewhere', file)).toBe('600');
    expect(modeOf('.env')).toBe('644');
    expect(warned).toHaveLength(5);
    for (const { msg } of warned) expect(service.stderr).toContain(`  warning         ${msg}\n`);
    expect(service.stderr).toContain(
      `Other users of this machine have access to ${operator.path('.env')} (mode 644), ` +
        'which holds secrets: run "chmod 600 .env".',
    );
  });
});
