import { accountOn, NEW_PASSWORD, OLD_PASSWORD } from '../auth/account.js';
import { useApp } from '../use-app.js';

const LIMIT = 2;
const WRONG_PASSWORD = 'seven quiet lanterns drown';
const STRANGE = '198.51.100.1';

describe('S21: the victim of guessing', () => {
  const app = useApp({ LOGIN_LIMIT: String(LIMIT) });
  let account: Awaited<ReturnType<typeof accountOn>>;
  let attacks = 0;

  beforeEach(async () => {
    account = await accountOn(app);
  });

  /** Strangers fail until the account rejects their logins. */
  const exhaust = async ({ logIn } = account) => {
    const guesses: number[] = [];
    attacks += 1;
    for (let i = 0; i <= LIMIT * 3; i += 1) {
      guesses.push((await logIn(WRONG_PASSWORD, `192.0.${attacks}.${i}`)).status);
    }
    expect(guesses).toEqual([...Array<number>(LIMIT * 3).fill(401), 429]);
    expect((await logIn(OLD_PASSWORD, STRANGE)).status).toBe(429);
  };
  const statusFrom = async (address?: string) =>
    (await account.logIn(OLD_PASSWORD, address)).status;

  it('logs in from the addresses that it has registered or logged in from, of IPv6 from the /64', async () => {
    await account.logIn(OLD_PASSWORD, '203.0.113.1');
    await account.logIn(OLD_PASSWORD, '2001:db8::1');
    await exhaust();

    for (const known of [undefined, '203.0.113.1', '2001:db8::2']) {
      expect([known, await statusFrom(known)]).toEqual([known, 200]);
    }
    for (const unknown of ['203.0.113.2', '2001:db8:0:1::1']) {
      expect([unknown, await statusFrom(unknown)]).toEqual([unknown, 429]);
    }
  });

  it('changes its password in its live session, wherever that is', async () => {
    await exhaust();

    expect((await account.change({}, {}, STRANGE)).status).toBe(204);
    expect((await account.logIn(NEW_PASSWORD)).status).toBe(200);
  });

  it('does not make its address known to other accounts', async () => {
    const other = await accountOn(app);
    await account.logIn(OLD_PASSWORD, '203.0.113.3');
    await exhaust(other);

    expect((await other.logIn(OLD_PASSWORD, '203.0.113.3')).status).toBe(429);
    expect(await statusFrom('203.0.113.3')).toBe(200);
  });
});
