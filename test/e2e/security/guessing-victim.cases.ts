import { TestApp } from '../../app.js';
import { ENGINES, newStore } from '../../engines.js';
import { accountOn, NEW_PASSWORD, OLD_PASSWORD } from '../auth/account.js';
import { useApp } from '../use-app.js';

const LIMIT = 2;
const WRONG_PASSWORD = 'seven quiet lanterns drown';
const STRANGE = '198.51.100.1';

describe.each(ENGINES)('S21: the victim of guessing, on %s', (engine) => {
  const env = { LOGIN_LIMIT: String(LIMIT), ...newStore(engine) };
  const app = useApp(engine, env);
  let attacks = 0;

  type Account = Awaited<ReturnType<typeof accountOn>>;

  /** Strangers fail until the account rejects their logins. */
  const exhaust = async ({ logIn }: Pick<Account, 'logIn'>) => {
    const guesses: number[] = [];
    attacks += 1;
    for (let i = 0; i <= LIMIT * 3; i += 1) {
      guesses.push((await logIn(WRONG_PASSWORD, `192.0.${attacks}.${i}`)).status);
    }
    expect(guesses).toEqual([...Array<number>(LIMIT * 3).fill(401), 429]);
    expect((await logIn(OLD_PASSWORD, STRANGE)).status).toBe(429);
  };

  it('logs in from the address that it has registered from', async () => {
    const account = await accountOn(app);
    await exhaust(account);

    expect((await account.logIn(OLD_PASSWORD)).status).toBe(200);
  });

  it('logs in from an address that it has logged in from', async () => {
    const account = await accountOn(app);
    await account.logIn(OLD_PASSWORD, '203.0.113.1');
    await exhaust(account);

    expect((await account.logIn(OLD_PASSWORD, '203.0.113.1')).status).toBe(200);
    expect((await account.logIn(OLD_PASSWORD, '203.0.113.2')).status).toBe(429);
  });

  it('logs in from any address of the /64 of an IPv6 address', async () => {
    const account = await accountOn(app);
    await account.logIn(OLD_PASSWORD, '2001:db8::1');
    await exhaust(account);

    expect((await account.logIn(OLD_PASSWORD, '2001:db8::2')).status).toBe(200);
    expect((await account.logIn(OLD_PASSWORD, '2001:db8:0:1::1')).status).toBe(429);
  });

  it('changes its password in its live session, wherever that is', async () => {
    const account = await accountOn(app);
    await exhaust(account);

    expect((await account.change({}, {}, STRANGE)).status).toBe(204);
    expect((await account.logIn(NEW_PASSWORD)).status).toBe(200);
  });

  it('is held to the limit of its own address', async () => {
    const account = await accountOn(app);
    await exhaust(account);
    for (let i = 0; i < LIMIT; i += 1) {
      expect((await account.logIn(WRONG_PASSWORD)).status).toBe(401);
    }

    expect((await account.logIn(OLD_PASSWORD)).status).toBe(429);
    expect((await account.change()).status).toBe(429);
  });

  it('does not make its address known to other accounts', async () => {
    const [account, other] = [await accountOn(app), await accountOn(app)];
    await account.logIn(OLD_PASSWORD, '203.0.113.3');
    await exhaust(other);

    expect((await other.logIn(OLD_PASSWORD, '203.0.113.3')).status).toBe(429);
    expect((await account.logIn(OLD_PASSWORD, '203.0.113.3')).status).toBe(200);
  });

  if (engine === 'MongoDB') {
    it('is known to every instance', async () => {
      const elsewhere = await TestApp.start(engine, env);
      const account = await accountOn(app);
      const credentials = { email: account.email, password: OLD_PASSWORD };
      const logIn = (password: string, from = STRANGE) =>
        elsewhere.post('/auth/login', { ...credentials, password }, { from });
      await account.logIn(OLD_PASSWORD, '203.0.113.4');
      await exhaust({ ...account, logIn });

      expect((await logIn(OLD_PASSWORD, '203.0.113.4')).status).toBe(200);
      expect((await account.logIn(OLD_PASSWORD, STRANGE)).status).toBe(429);
      await elsewhere.stop();
    });
  }
});
