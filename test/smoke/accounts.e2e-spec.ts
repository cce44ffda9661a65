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

  it.concurrent.each(ENGINES)('are made and reset beside a service on %s', async (engine) => {
    const operator = operatorWith({
      REGISTRATION: 'closed',
      ...(engine === 'MongoDB' && SECRETS),
      ...newStore(engine),
    });
    const service = await operator.start();
    const logIn = (password: string) => service.post('/auth/login', { email: EMAIL, password });
    const account = { name: 'Eve', email: 'eve@example.com', password: PASSWORD };
    expect((await service.post('/auth/register', account)).status).toBe(403);

    const first = passwordIn(await operator.user('create', EMAIL));
    const login = await logIn(first);
    expect(login.status).toBe(200);
    expectOneSentence(await operator.user('create', EMAIL), 'Email already registered.');

    const second = passwordIn(await operator.user('reset-password', EMAIL));
    const { refreshToken } = login.body as { refreshToken: string };
    expect((await service.post('/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await logIn(first)).status).toBe(401);
    expect((await logIn(second)).status).toBe(200);
  });

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
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const password = String(/^Password: +(\S+)$/m.exec(stdout)?.[1]);
  expect(stdout.split(password)).toHaveLength(2);
  return password;
}
