import { ENGINES, newStore, SECRETS } from '../engines.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';
import type { Ending } from './running-process.js';

const itOnMongo = ENGINES.includes('MongoDB') ? it : it.skip;
const EMAIL = 'ada@example.com';

describe('Accounts at the command line', () => {
  const operators: Operator[] = [];
  afterAll(() => Promise.all(operators.map((operator) => operator.leave())));

  const start = async (env: NodeJS.ProcessEnv = {}) => {
    const operator = new Operator({ SHUTDOWN_DRAIN: '0', ...env });
    operators.push(operator);
    const service = await operator.start({ REGISTRATION: 'closed' });
    const logIn = (password: string) => service.post('/auth/login', { email: EMAIL, password });
    return { operator, service, logIn };
  };

  it('S22: are created, reset, disabled and listed while a service runs on SQLite, with a log line each, and deleted', async () => {
    const { operator, service, logIn } = await start();
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

    const ending = await operator.user('delete', EMAIL);
    expectOneSentence(ending, 'Another process is using the store', 'stop it');
    await service.end('SIGTERM');
    expect((await operator.user('delete', EMAIL)).code).toBe(0);
    expect((await operator.user('list')).stdout).toBe('There are no accounts.\n');
  });

  itOnMongo('are created and deleted while a service runs on MongoDB', async () => {
    const { operator, logIn } = await start({ ...SECRETS, ...newStore('MongoDB') });
    const password = passwordIn(await operator.user('create', EMAIL));
    expect((await logIn(password)).status).toBe(200);
    expect((await operator.user('delete', EMAIL)).code).toBe(0);
    expect((await logIn(password)).status).toBe(401);
  });
});

/** The password that a command has printed, exactly once and only to stdout. */
function passwordIn({ code, stdout, stderr }: Ending): string {
  expect(code).toBe(0);
  const password = String(/^Password: +(\S+)$/m.exec(stdout)?.[1]);
  expect(stderr).not.toContain(password);
  expect(stdout.split(password)).toHaveLength(2);
  return password;
}
