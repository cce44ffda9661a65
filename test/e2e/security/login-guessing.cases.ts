import pLimit from 'p-limit';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { countsOf } from '../at-once.js';
import { timesInScope } from '../../scope.js';
import { accountOn, NEW_PASSWORD } from '../auth/account.js';
import { PASSWORD } from '../developer.js';
import { useApp } from '../use-app.js';

const WRONG_PASSWORD = 'seven quiet lanterns drown';
const STRANGE = '198.51.100.1';
const ADDRESSES = Array.from(
  { length: timesInScope(1_000) },
  (_, i) => `10.0.${i >> 8}.${i & 255}`,
);

// src/auth/login-limit/login-limiter.spec.ts tries which failures are counted together, and test/e2e/console/session.cases.ts those of an address.
describe('Guesses at a password', () => {
  const app = useApp({ LOGIN_LIMIT: '2' });

  it(`S9: from ${ADDRESSES.length} addresses are verified 6 times for an account, and its owner logs in from an address that it knows`, async () => {
    const account = await accountOn(app);
    await account.logIn(PASSWORD, '2001:db8::1');
    for (const email of ['nobody@studio.example', account.email]) {
      const verify = jest.spyOn(app.nest.get(PasswordHasher), 'verify');
      const guesses = await pLimit(60).map(ADDRESSES, (from) =>
        app.post('/auth/login', { email, password: WRONG_PASSWORD }, { from }),
      );
      const limited = ADDRESSES.length - 6;
      expect(countsOf(guesses)).toEqual({ INVALID_CREDENTIALS: 6, TOO_MANY_REQUESTS: limited });
      expect(verify).toHaveBeenCalledTimes(6);
      verify.mockRestore();
    }

    const strange = await account.logIn(PASSWORD, STRANGE);
    expect([strange.status, strange.headers.get('retry-after')]).toEqual([429, '900']);
    for (const known of [undefined, '2001:db8::2']) {
      expect((await account.logIn(PASSWORD, known)).status).toBe(200);
    }
    expect((await (await accountOn(app)).logIn(PASSWORD, STRANGE)).status).toBe(200);
    // In a live session the password can be changed, wherever that is.
    expect((await account.change({}, {}, STRANGE)).status).toBe(204);
    app.clock.advance({ seconds: 900 });
    expect((await account.logIn(NEW_PASSWORD, STRANGE)).status).toBe(200);
  });
});
