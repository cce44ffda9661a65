import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { keyOfFile, readAccountFile } from '../../src/cli/account-file.js';
import { LAPTOP } from '../e2e/developer.js';
import { newEmail } from '../http-caller.js';
import { NO_LIMITS } from '../no-limits.js';
import { type Ending, expectOneSentence, type Operator, useOperator } from './operator.js';

const EMAIL = 'ada@example.com';
const PASSPHRASE = 'a passphrase of the operator';

/** Debian's smallest images have no `ps`. A process may end while it is listed. */
const LIST_PROCESSES = '(ps -Aww -o args || cat /proc/[0-9]*/cmdline || true) 2>/dev/null';

describe('The commands of an operator', () => {
  const operator = useOperator({ SHUTDOWN_DRAIN: '0' });
  const [from, to] = [useOperator(NO_LIMITS), useOperator(NO_LIMITS)];
  const busy = useOperator(NO_LIMITS);

  it('S22: create, reset, disable, list and delete accounts while a service runs on SQLite, with immediate effect and a log line each', async () => {
    const service = await operator.start({ REGISTRATION: 'closed' });
    const logIn = (password: string) => service.post('/auth/login', { email: EMAIL, password });
    const created = await operator.user('create', EMAIL);
    const first = passwordIn(created);
    const login = await logIn(first);
    expect(login.status).toBe(200);

    const reset = await operator.user('reset-password', EMAIL);
    const second = passwordIn(reset);
    const { user, refreshToken } = login.body as { user: { _id: string }; refreshToken: string };
    expect([created, reset].map(({ stderr }) => JSON.parse(stderr) as object)).toEqual(
      ['create', 'reset-password'].map((action) => ({
        ...{ level: 30, time: expect.any(String) as string, msg: 'security' },
        ...{ event: 'account_command', action, account: user._id, user: user._id },
      })),
    );
    expect((await service.post('/auth/refresh', { refreshToken })).status).toBe(401);
    const token = login.body.accessToken as string;
    expect((await service.get('/auth/me', { token })).status).toBe(401);
    expect((await logIn(first)).status).toBe(401);
    expect((await logIn(second)).status).toBe(200);

    expect((await operator.user('disable', EMAIL)).code).toBe(0);
    expect((await logIn(second)).body).toMatchObject({ code: 'ACCOUNT_DISABLED' });
    const { stdout } = await operator.user('list');
    expect(stdout).toMatch(/^ada@example\.com\tada\tcreated \S+\tdisabled \S+\tclients 0\t.*\n$/);
    expect((await operator.user('enable', EMAIL)).code).toBe(0);
    expect((await logIn(second)).status).toBe(200);

    const ada = { token: (await logIn(second)).body.accessToken as string };
    const license = await service.createActiveLicense(ada);
    // The service has the records in its cache.
    expect(await service.validationOf(license, LAPTOP)).toBe('active');
    expectOneSentence(
      await operator.user('delete', EMAIL),
      'has active licenses',
      '--with-licenses',
    );
    expect((await operator.user('delete', EMAIL, '--with-licenses')).code).toBe(0);
    expect((await service.get('/auth/me', ada)).status).toBe(401);
    expect(await service.validationOf(license, LAPTOP)).toBe('invalid');
    expect((await logIn(second)).status).toBe(401);
    expect((await operator.user('list')).stdout).toBe('There are no accounts.\n');
    // Whatever reads its lines, such as head, may have exited.
    const piped = `"${process.execPath}" "${path.resolve('dist/cli.js')}" user list | true`;
    expect(await operator.run('/bin/sh', ['-c', piped], '')).toMatchObject({ code: 0, stderr: '' });
  });

  it('delete a large account while the service writes for others, without failures', async () => {
    const service = await busy.start();
    const [ada, eve] = [await service.register(), await service.register()];
    const { project } = await service.createLicense(ada);
    await service.addLicenses(ada, project, 1_000);
    const deletion = busy.command(['user', 'delete', ada.email]);
    do {
      const client = { name: 'Acme Ltd', email: newEmail() };
      expect((await service.post('/clients', client, eve)).status).toBe(201);
    } while (!deletion.hasEnded);
    expect(await deletion.ended).toMatchObject({ code: 0 });
  });

  it('S17, S22: move signing keys to another store while both services run, without revealing a secret', async () => {
    const run = (operator: Operator, args: string[], input = PASSPHRASE) =>
      operator.command(['signing-keys', ...args], {}, `${input}\n`).ended;
    const file = from.path('keys.json');
    const [source, target] = [await from.start(), await to.start()];
    const [ada, eve] = [await source.register(), await target.register()];
    const { body: keys } = await source.get('/signing-keys', ada);

    const exported = await run(from, ['export', ada.email, file]);
    const importing = run(to, ['import', eve.email, file]);
    const listed = await processListingsUntil(importing);
    const imported = await importing;
    expect([exported, imported]).toEqual([
      expect.objectContaining({ code: 0, stdout: expect.stringContaining(file) as string }),
      expect.objectContaining({ code: 0, stdout: expect.stringContaining(ada._id) as string }),
    ]);
    expect([exported, imported].map(({ stderr }) => JSON.parse(stderr) as object)).toEqual([
      expect.objectContaining({ event: 'signing_keys_exported', account: ada._id }),
      expect.objectContaining({ event: 'signing_keys_imported', account: eve._id }),
    ]);
    expect((await target.get('/signing-keys', eve)).body).toEqual(keys);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);

    const seeds: string[] = [];
    const key = await keyOfFile(file, async () => PASSPHRASE);
    for await (const { records } of readAccountFile(file, key)) {
      const [{ current, next }] = records as unknown as [Record<string, { sealedSeed: string }>];
      seeds.push(current!.sealedSeed, next!.sealedSeed);
    }
    expect(listed).toContain('cli.js');
    expect(seeds).toHaveLength(2);
    for (const secret of [PASSPHRASE, ...seeds]) {
      expect([listed, JSON.stringify([exported, imported])].join()).not.toContain(secret);
    }

    const short = await run(from, ['export', ada.email, from.path('other.json')], 'too short');
    expectOneSentence(short, 'The passphrase must be at least 12 characters long.');
    expect(fs.existsSync(from.path('other.json'))).toBe(false);
  });
});

/** The password that a command printed, exactly once and only to stdout. */
function passwordIn({ code, stdout, stderr }: Ending): string {
  expect(code).toBe(0);
  const password = String(/^Password: +(\S+)$/m.exec(stdout)?.[1]);
  expect(stderr).not.toContain(password);
  expect(stdout.split(password)).toHaveLength(2);
  return password;
}

/** The command lines of all processes, sampled until the work is done. */
async function processListingsUntil(work: Promise<unknown>): Promise<string> {
  const listings: string[] = [];
  let isDone = false;
  void work.finally(() => (isDone = true));
  while (!isDone) {
    listings.push(execFileSync('sh', ['-c', LIST_PROCESSES], { encoding: 'utf8' }));
    await setTimeout(20);
  }
  return listings.join('\n');
}
