import { PASSWORD } from '../e2e/developer.js';
import { ENGINES, newStore, SECRETS } from '../engines.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';
import type { Ending } from './running-process.js';

const EMAIL = 'ada@example.com';

describe('Accounts at the command line', () => {
  const operators: Operator[] = [];
  const operatorWith = (env: NodeJS.ProcessEnv = {}) => {
    const operator = new Operator(env);
    operators.push(operator);
    return operator;
  };

  afterAll(() => Promise.all(operators.map((operator) => operator.leave())));

  it.concurrent.each(ENGINES)(
    'S22: are made and reset beside a service on %s, each on record',
    async (engine) => {
      const operator = operatorWith({
        REGISTRATION: 'closed',
        ...(engine === 'MongoDB' && SECRETS),
        ...newStore(engine),
      });
      const service = await operator.start();
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

  it.concurrent.each([
    ['create', 'ada@', 'ada@ is not a valid e-mail address.'],
    ['reset-password', EMAIL, `There is no account ${EMAIL}.`],
  ])('are left alone by %s %s, which is told why', async (command, email, sentence) => {
    const ending = await operatorWith().user(command, email);

    expectOneSentence(ending, sentence);
    expect(ending.stdout).toBe('');
  });
});

/** The password that a command has printed, once. */
function passwordIn({ code, stdout, stderr }: Ending): string {
  expect(code).toBe(0);
  const password = String(/^Password: +(\S+)$/m.exec(stdout)?.[1]);
  expect(stderr).not.toContain(password);
  expect(stdout.split(password)).toHaveLength(2);
  return password;
}
