import { PASSWORD } from '../e2e/developer.js';
import { type Engine, ENGINES, newStore, SECRETS } from '../engines.js';
import { casesInScope, describeOnEachNode } from '../scope.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';
import type { Ending } from './running-process.js';

const EMAIL = 'ada@example.com';

describeOnEachNode('Accounts at the command line', () => {
  const operators: Operator[] = [];
  const operatorWith = (env: NodeJS.ProcessEnv = {}) => {
    const operator = new Operator({ SHUTDOWN_DRAIN: '0', ...env });
    operators.push(operator);
    return operator;
  };
  const startOn = async (engine: Engine, env: NodeJS.ProcessEnv = {}) => {
    const secrets = engine === 'MongoDB' && SECRETS;
    const operator = operatorWith({ ...secrets, ...newStore(engine), ...env });
    return { operator, service: await operator.start() };
  };

  afterAll(() => Promise.all(operators.map((operator) => operator.leave())));

  it.concurrent.each(ENGINES)(
    'S22: are created and reset while a service runs on %s, each with a log line',
    async (engine) => {
      const { operator, service } = await startOn(engine, { REGISTRATION: 'closed' });
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
      const { user } = login.body as { user: { _id: string } };
      expect([created, reset].map(({ stderr }) => JSON.parse(stderr) as object)).toEqual(
        ['create', 'reset-password'].map((action) => ({
          ...{ level: 30, time: expect.any(String) as string, msg: 'security' },
          ...{ event: 'account_command', action, account: user._id },
        })),
      );
      const { refreshToken } = login.body as { refreshToken: string };
      expect((await service.post('/auth/refresh', { refreshToken })).status).toBe(401);
      expect((await logIn(first)).status).toBe(401);
      expect((await logIn(second)).status).toBe(200);
    },
  );

  it.concurrent.each(ENGINES)(
    'are listed and disabled while a service runs on %s',
    async (engine) => {
      const { operator, service } = await startOn(engine);
      const password = passwordIn(await operator.user('create', EMAIL));
      const credentials = { email: EMAIL, password };
      const { body } = await service.post('/auth/login', credentials);

      expect((await operator.user('disable', EMAIL)).code).toBe(0);
      const rejected = await service.post('/auth/login', credentials);
      expect(rejected.body).toMatchObject({ code: 'ACCOUNT_DISABLED' });
      expect((await service.post('/auth/refresh', body)).status).toBe(401);
      const { stdout } = await operator.user('list');
      expect(stdout).toMatch(/^ada@example\.com\tada\tcreated \S+\tdisabled \S+\tclients 0\t.*\n$/);
      expect((await operator.user('enable', EMAIL)).code).toBe(0);
      expect((await service.post('/auth/login', credentials)).status).toBe(200);
    },
  );

  it.concurrent.each(ENGINES)(
    'are deleted on %s, while the service runs only on MongoDB',
    async (engine) => {
      const { operator, service } = await startOn(engine);
      await operator.user('create', EMAIL);
      if (engine === 'SQLite') {
        const ending = await operator.user('delete', EMAIL);
        expectOneSentence(ending, 'Another process is using the store', 'stop it');
        await service.end('SIGTERM');
      }

      const { code, stdout } = await operator.user('delete', EMAIL);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `Account ${EMAIL} is deleted, with everything that it had.\n`,
      });
      expect((await operator.user('list')).stdout).toBe('There are no accounts.\n');
    },
  );

  const WRONG: [string, string, string][] = [
    ['create', 'ada@', 'ada@ is not a valid e-mail address.'],
    ...['reset-password', 'disable', 'enable', 'delete'].map(
      (command) => [command, EMAIL, `There is no account ${EMAIL}.`] as [string, string, string],
    ),
  ];

  it.concurrent.each(casesInScope(WRONG))(
    'are not changed by a wrong %s %s, which prints the reason',
    async (command, email, sentence) => {
      const ending = await operatorWith().user(command, email);

      expectOneSentence(ending, sentence);
      expect(ending.stdout).toBe('');
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
