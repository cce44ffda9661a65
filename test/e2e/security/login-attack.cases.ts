import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { timesInScope } from '../../scope.js';
import { atOnce, statusesOf } from '../at-once.js';
import { PASSWORD, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';

const ADDRESSES = timesInScope(1000);

describe(`S9: an attack on one account from ${ADDRESSES} addresses`, () => {
  const app = useApp({ LOGIN_LIMIT: '' });

  const logIn = (email: string, password: string, from: string) =>
    app.post('/auth/login', { email, password }, { from });

  it.each(['an account', 'an account that does not exist'])(
    'on %s: 30 guesses are verified, and no more until the window ends; other accounts are not affected',
    async (account) => {
      const [victim, other] = [await registerDeveloper(app), await registerDeveloper(app)];
      const email = account === 'an account' ? victim.email : 'nobody@studio.example';
      const verify = jest.spyOn(app.nest.get(PasswordHasher), 'verify').mockClear();
      const statuses: number[] = [];
      for (let batch = 0; batch < ADDRESSES / 50; batch += 1) {
        const responses = await atOnce(50, (i) =>
          logIn(email, `guess number ${batch} ${i}`, `10.0.${batch}.${i}`),
        );
        statuses.push(...statusesOf(responses));
      }
      const afterwards = await logIn(email, PASSWORD, '192.0.2.1');

      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
      expect(statuses.filter((status) => status === 429)).toHaveLength(ADDRESSES - 30);
      expect(verify).toHaveBeenCalledTimes(30);
      expect([afterwards.status, afterwards.headers.get('retry-after')]).toEqual([429, '900']);
      expect((await logIn(other.email, PASSWORD, '192.0.2.1')).status).toBe(200);
      app.clock.advance({ seconds: 900 });
      expect((await logIn(email, PASSWORD, '192.0.2.1')).status).not.toBe(429);
    },
  );
});
