import { PASSWORD } from '../e2e/developer.js';
import { ENGINES, newStore, SECRETS } from '../engines.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';
import type { Ending } from './running-process.js';

const EMAIL = 'ada@example.com';

describe('Accounts at the command line', () => {
  const operators: Operator[] = [];
  afterAll(() => Promise.all(operators.map((operator) => operator.leave())));

  it.concurrent.each(ENGINES)(
    'S22: are created, reset, disabled and listed while a service runs on %s, with a log line each, and deleted',
    async (engine) => {
      const secrets = engine === 'MongoDB' ? SECRETS : {};
      const operator = new Operator({ SHUTDOWN_DRAIN: '0', ...secrets, ...newStore(engine) });
      operators.push(operator);
      const service = await operator.start({ REGISTRATION: 'closed' });
      const logIn = (password: string) => service.post('/auth/login', { email: EMAIL, password });
      const account = { name: 'Eve', email: 'eve@example.com', password: PASSWORD };
      expect((await service.post('/auth/register', account)).status).toBe(403);

      const created = await operator.user('create', EMAIL);
      const first = passwordIn(created);
      const login = await logIn(first);
      expect(login.status).toBe(200);
      expectOneSentence(await operator.user('create', EMAIL), 'Email already registered.');

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
      const { body } = await logIn(second);

      expect((await operator.user('disable', EMAIL)).code).toBe(0);
      expect((await logIn(second)).body).toMatchObject({ code: 'ACCOUNT_DISABLED' });
      expect((await service.post('/auth/refresh', body)).status).toBe(401);
      const { stdout } = await operator.user('list');
      expect(stdout).toMatch(/^ada@example\.com\tada\tcreated \S+\tdisabled \S+\tclients 0\t.*\n$/);
      expect((await operator.user('enable', EMAIL)).code).toBe(0);
      expect((await logIn(second)).status).toBe(200);

      if (engine === 'SQLite') {
        const ending = await operator.user('delete', EMAIL);
        expectOneSentence(ending, 'Another process is using the store', 'stop it');
        await service.end('SIGTERM');
      }
      expect(await operator.user('delete', EMAIL)).toMatchObject({
        code: 0,
        stdout: `Account ${EMAIL} is deleted, with everything that it had.\n`,
      });
      const missing = await operator.user('disable', EMAIL);
      expectOneSentence(missing, `There is no account ${EMAIL}.`);
      expect(missing.stdout).toBe('');
    },
  );
});

/** The password that a command has printed, exactly once and only to stdout. */
function passwordIn({ code, stdout, stderr }: Ending): string {
  expect(code).toBe(0);
  const password = String(/^Password: +(\S+)$/m.exec(stdout)?.[1]);
  expect(stderr).not.toContain(password);
  expect(stdout.split(password)).toHaveLength(2);
  return password;
}
