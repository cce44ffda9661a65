import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { timesInScope } from '../../scope.js';
import { atOnce, statusesOf } from '../at-once.js';
import { PASSWORD, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';

const ADDRESSES = timesInScope(1000);

describe(`S9: an attack on one account from ${ADDRESSES} addresses`, () => {
  const app = useApp('SQLite', { LOGIN_LIMIT: '' });
  let email: string;

  beforeEach(async () => {
    ({ email } = await registerDeveloper(app));
  });

  const logIn = (account: string, password: string, from: string) =>
    app.post('/auth/login', { email: account, password }, { from });

  it.each([
    ['an account', () => email],
    ['an account that does not exist', () => 'nobody@studio.example'],
  ])(
    'on %s: 30 guesses are looked at, and no more until the window ends',
    async (_case, account) => {
      const verify = jest.spyOn(app.nest.get(PasswordHasher), 'verify').mockClear();
      const statuses: number[] = [];
      for (let batch = 0; batch < ADDRESSES / 50; batch += 1) {
        const responses = await atOnce(50, (i) =>
          logIn(account(), `guess number ${batch} ${i}`, `10.0.${batch}.${i}`),
        );
        statuses.push(...statusesOf(responses));
      }
      const afterwards = await logIn(account(), PASSWORD, '192.0.2.1');

      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
      expect(statuses.filter((status) => status === 429)).toHaveLength(ADDRESSES - 30);
      expect(verify).toHaveBeenCalledTimes(30);
      expect(afterwards.status).toBe(429);
      expect(afterwards.headers.get('retry-after')).toBe('900');
    },
  );

  it('leaves other accounts alone, and the account itself once the window has ended', async () => {
    const other = await registerDeveloper(app);
    for (let i = 0; i < 30; i += 1) await logIn(email, 'one more guess', `10.1.0.${i}`);

    expect((await logIn(email, PASSWORD, '192.0.2.1')).status).toBe(429);
    expect((await logIn(other.email, PASSWORD, '192.0.2.1')).status).toBe(200);
    app.clock.advance({ seconds: 900 });
    expect((await logIn(email, PASSWORD, '192.0.2.1')).status).toBe(200);
  });
});
