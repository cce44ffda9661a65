import { FakeClock } from '../../test/fake-clock.js';
import { SECRETS } from '../../test/engines.js';
import { loadConfig } from '../shared/config/load-config.js';
import { type LoginAttempt, LoginLimiter } from './login-limiter.js';
import { MemoryRateLimits } from './memory-rate-limits.js';

const TOO_MANY = { code: 'TOO_MANY_REQUESTS' };
const wrong = () => Promise.resolve(null);
const right = () => Promise.resolve('user');

const by = (address: string, account = 'a@a.example', who: LoginAttempt['by'] = 'stranger') => ({
  address,
  account,
  by: who,
});
const CALLER = by('192.0.2.1');

// Counting on both engines is tested in test/contract/limits, strangers in test/e2e/auth/login.cases.ts.
describe('LoginLimiter (S9)', () => {
  const clock = new FakeClock();
  let logins: LoginLimiter;
  const start = (limit: number) => {
    const config = loadConfig({ ...SECRETS, GUESS_LIMIT: String(limit) });
    logins = new LoginLimiter(new MemoryRateLimits(clock), config);
  };
  beforeEach(() => start(10));

  const fail = async (times: number, attemptOf: (index: number) => LoginAttempt = () => CALLER) => {
    for (let index = 0; index < times; index++) await logins.attempt(attemptOf(index), wrong);
  };
  const succeeds = (attempt: LoginAttempt) =>
    expect(logins.attempt(attempt, right)).resolves.toBe('user');
  const isRejected = (attempt: LoginAttempt) =>
    expect(logins.attempt(attempt, right)).rejects.toMatchObject(TOO_MANY);

  it.each([
    ['strangers', 'stranger', 'known_address'],
    ['its known addresses', 'known_address', 'stranger'],
  ] as const)(
    'verifies four attempts of %s per account at a time, and does not count correct ones',
    async (_who, kind, other) => {
      for (let times = 0; times < 10; times++) {
        const attempts = Array.from({ length: 6 }, (_, index) =>
          logins
            .attempt(by(`192.0.2.${index}`, 'a@a.example', kind), right)
            .catch(({ code }) => code as unknown),
        );
        await succeeds(by('192.0.2.1', 'b@b.example', kind));
        await succeeds(by('192.0.2.1', 'a@a.example', other));
        expect(await Promise.all(attempts)).toEqual([
          ...Array<unknown>(4).fill('user'),
          ...Array<unknown>(2).fill('TOO_MANY_CONCURRENT_REQUESTS'),
        ]);
      }
    },
  );

  it('reveals the results of only as many concurrent guesses as the limit allows, even to a correct guess', async () => {
    const outcome = (verify: () => Promise<string | null>) =>
      logins.attempt(CALLER, verify).catch((error: unknown) => error);
    let verify: (() => void) | undefined;
    const last = new Promise<void>((resolve) => (verify = resolve));
    const rightGuess = outcome(() => last.then(right));
    const guesses: unknown[] = [];
    while (guesses.length < 30) {
      guesses.push(...(await Promise.all([outcome(wrong), outcome(wrong), outcome(wrong)])));
    }
    verify!();
    const rejected = expect.objectContaining({ ...TOO_MANY, retryAfter: 900 }) as unknown;
    expect(guesses.filter((told) => told === null)).toHaveLength(10);
    expect(guesses.filter((told) => told !== null)).toEqual(Array(20).fill(rejected));
    expect(await rightGuess).toEqual(rejected);
  });

  it('verifies nothing once a limit is reached, and leaves the other limit unchanged', async () => {
    await fail(10);
    const verify = jest.fn(wrong);
    for (let index = 0; index < 30; index++) {
      await expect(logins.attempt(CALLER, verify)).rejects.toMatchObject(TOO_MANY);
    }
    expect(verify).not.toHaveBeenCalled();
    await succeeds(by('192.0.2.2'));
  });

  it('counts no success or error, and does not reset failures after a success', async () => {
    await fail(9);
    const overloaded = () => Promise.reject(new Error('overloaded'));
    for (let index = 0; index < 20; index++) {
      await succeeds(CALLER);
      await expect(logins.attempt(CALLER, overloaded)).rejects.toThrow('overloaded');
    }
    await fail(1);

    await isRejected(CALLER);
  });

  it('S22: reports a lockout of the address and of the account once a window', async () => {
    const lockouts: string[] = [];
    const attempt = (index: number, login: () => Promise<string | null>) =>
      logins
        .attempt(by(`192.0.2.${index}`), login, (limit) => lockouts.push(`${index} ${limit}`))
        .catch(() => null);
    const failTimes = async (times: number, index: number) => {
      for (let i = 0; i < times; i++) await attempt(index, wrong);
    };
    for (const window of [1, 2]) {
      await Promise.all(Array.from({ length: 10 }, (_, i) => attempt(window, i ? wrong : right)));
      expect(lockouts).toEqual([]);
      await failTimes(20, window);
      expect(lockouts.splice(0)).toEqual([`${window} address`]);
      for (const index of [3, 4, 5]) await failTimes(20, index);
      expect(lockouts.splice(0)).toEqual(['3 address', '4 account', '4 address']);
      clock.advance({ seconds: 900 });
    }
  });

  it('is off with a limit of 0, and reports no lockout (S22)', async () => {
    const onLockout = jest.fn();
    start(0);
    for (let index = 0; index < 50; index++) await logins.attempt(CALLER, wrong, onLockout);

    expect(onLockout).not.toHaveBeenCalled();
  });

  describe('for one account and several callers', () => {
    const VICTIM = '198.51.100.1';
    const as = (who: LoginAttempt['by'], address = VICTIM) => by(address, 'a@a.example', who);

    it('allows a known address 10 failures and sessions 30, separate from strangers', async () => {
      await fail(29, (index) => by(`192.0.2.${index}`));
      await fail(10, () => as('known_address'));
      await fail(30, (index) => as('session', `203.0.113.${index}`));

      await isRejected(as('known_address'));
      await isRejected(as('session', '203.0.113.99'));
      await succeeds(by('203.0.113.99'));
    });

    it('limits an address across all accounts', async () => {
      await fail(10, (index) => by(VICTIM, `${index}@a.example`));

      for (const who of ['stranger', 'known_address', 'session'] as const) {
        await isRejected(as(who));
      }
    });
  });
});
