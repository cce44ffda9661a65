import fs from 'node:fs';
import { describeOnEachNode } from '../scope.js';
import { Operator } from './operator.js';

/** Windows has no file modes. */
const onPosix = process.platform === 'win32' ? describe.skip : describeOnEachNode;

onPosix('A start with files to which other users of the machine have access', () => {
  const operator = new Operator({ SHUTDOWN_DRAIN: '0' });
  const modeOf = (...names: string[]) =>
    (fs.statSync(operator.path(...names)).mode & 0o777).toString(8);

  afterAll(() => operator.leave());

  it('makes the data folder, its secrets and its store private, with warnings in the log and on stderr', async () => {
    await (await operator.start()).end('SIGINT');
    const files = ['jwt-secret', 'license-secret', 'licenses.sqlite', 'licenses.sqlite-owner'];
    fs.chmodSync(operator.path('data'), 0o755);
    for (const file of files) fs.chmodSync(operator.path('data', file), 0o644);
    const service = await operator.start();
    expect((await service.get('/health/ready')).status).toBe(200);
    // The log is complete after the exit.
    await service.end('SIGTERM');
    const warned = service.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ level }) => level === 40);

    expect(modeOf('data')).toBe('700');
    for (const file of files) expect(modeOf('data', file)).toBe('600');
    expect(warned).toHaveLength(5);
    for (const { msg } of warned) expect(service.stderr).toContain(`  warning         ${msg}\n`);
  });

  it('warns of a .env with secrets, and does not change its mode', async () => {
    fs.writeFileSync(
      operator.path('.env'),
      'DATA_DIR=./other\nJWT_SECRET=2f6f3c0a9d4b41d08e7c5a1b-of-this-test\n',
    );
    fs.chmodSync(operator.path('.env'), 0o644);
    const service = await operator.start();
    await service.end('SIGTERM');

    expect(service.stderr).toContain(
      `Other users of this machine have access to ${operator.path('.env')} (mode 644), ` +
        'which holds secrets: run "chmod 600 .env".',
    );
    expect(service.stdout).toContain('which holds secrets');
    expect(modeOf('.env')).toBe('644');
  });

  it('prints no warning where all files are private', async () => {
    fs.chmodSync(operator.path('.env'), 0o600);
    const service = await operator.start({ DATA_DIR: './third' });
    await service.end('SIGTERM');

    expect(service.stderr).not.toContain('warning');
    expect(service.stdout).not.toContain('"level":40');
  });
});
