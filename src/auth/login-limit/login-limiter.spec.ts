import { FakeClock } from '../../../test/fake-clock.js';
import type { Config } from '../../shared/config/config.js';
import { type LoginAttempt, LoginLimiter } from './login-limiter.js';

const TOO_MANY = { code: 'TOO_MANY_REQUESTS' };
const wrong = () => Promise.resolve(null);
const right = () => Promise.resolve('user');

const by = (address: string, account: string, who: LoginAttempt['by'] = 'stranger') => ({
  address,
  account,
  by: who,
});

function limiter(clock: FakeClock, requests = 10): LoginLimiter {
  const limits = {
    loginByAddress: { requests, seconds: 900 },
    loginByAccount: { requests: requests * 3, seconds: 900 },
  };
  return new LoginLimiter({ limits } as Config, clock);
}

async function failTimes(times: number, fail: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < times; index += 1) await fail(index);
}

describe('LoginLimiter (S9)', () => {
  let clock: FakeClock;
  let logins: LoginLimiter;

  beforeEach(() => {
    clock = new FakeClock();
    logins = limiter(clock);
  });

  it('allows an address 10 failures across accounts, and then returns how long to wait', async () => {
    await failTimes(10, (index) => logins.attempt(by('192.0.2.1', `${index}@a.example`), wrong));
    clock.advance({ seconds: 100 });

    const login = jest.fn(right);
    await expect(logins.attempt(by('192.0.2.1', 'new@a.example'), login)).rejects.toMatchObject({
      ...TOO_MANY,
      retryAfter: 800,
    });
    expect(login).not.toHaveBeenCalled();
    expect(() => logins.checkAddress('192.0.2.1')).toThrow('Too many requests');
    expect(() => logins.checkAddress('192.0.2.2')).not.toThrow();
  });

  it('allows an account 30 failures across addresses', async () => {
    await failTimes(30, (index) => logins.attempt(by(`192.0.2.${index}`, 'a@a.example'), wrong));

    await expect(logins.attempt(by('192.0.2.99', 'a@a.example'), right)).rejects.toMatchObject(
      TOO_MANY,
    );
    await expect(logins.attempt(by('192.0.2.99', 'b@a.example'), right)).resolves.toBe('user');
  });

  it('limits concurrent guesses', async () => {
    const login = jest.fn(wrong);
    const attempts = Array.from({ length: 50 }, () =>
      logins.attempt(by('192.0.2.1', 'a@a'), login),
    );
    const outcomes = await Promise.allSettled(attempts);

    expect(login).toHaveBeenCalledTimes(10);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(40);
  });

  it('does not count a success, nor reset the failures by one', async () => {
    await failTimes(9, () => logins.attempt(by('192.0.2.1', 'a@a'), wrong));
    await failTimes(20, () => logins.attempt(by('192.0.2.1', 'a@a'), right));
    await logins.attempt(by('192.0.2.1', 'a@a'), wrong);

    await expect(logins.attempt(by('192.0.2.1', 'a@a'), right)).rejects.toMatchObject(TOO_MANY);
  });

  it('S22: reports a lockout of the address and of the account once a window', async () => {
    const lockouts: string[] = [];
    const attempt = (index: number, login: () => Promise<string | null>) =>
      logins
        .attempt(by(`192.0.2.${index}`, 'a@a'), login, (limit) =>
          lockouts.push(`${index} ${limit}`),
        )
        .catch(() => null);
    for (const window of [1, 2]) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => attempt(window, i ? wrong : right)));
      expect(lockouts).toEqual([]);
      await failTimes(20, () => attempt(window, wrong));
      expect(lockouts.splice(0)).toEqual([`${window} address`]);
      for (const index of [3, 4, 5]) await failTimes(20, () => attempt(index, wrong));
      expect(lockouts.splice(0)).toEqual(['3 address', '4 address', '4 account']);
      clock.advance({ seconds: 900 });
    }
  });

  it('S22: reports no lockout where the limit is off', async () => {
    const onLockout = jest.fn();
    logins = limiter(clock, 0);
    await failTimes(50, () => logins.attempt(by('192.0.2.1', 'a@a'), wrong, onLockout));
    expect(onLockout).not.toHaveBeenCalled();
  });

  it('does not count an attempt that ended in an error', async () => {
    const overloaded = () => Promise.reject(new Error('overloaded'));
    await failTimes(20, () => logins.attempt(by('192.0.2.1', 'a@a'), overloaded).catch(() => null));

    expect(logins.status('192.0.2.1')).toEqual({ limit: 10, remaining: 10, reset: 0 });
  });

  it('does not count rejected attempts, and starts over when the window ends', async () => {
    await failTimes(10, () => logins.attempt(by('192.0.2.1', 'a@a'), wrong));
    clock.advance({ seconds: 899 });
    await failTimes(5, () => logins.attempt(by('192.0.2.1', 'a@a'), wrong).catch(() => null));
    clock.advance({ seconds: 1 });

    expect(logins.status('192.0.2.1')).toEqual({ limit: 10, remaining: 10, reset: 0 });
    await expect(logins.attempt(by('192.0.2.1', 'a@a'), right)).resolves.toBe('user');
  });

  it('uncounts a late success only in the window in which it was counted', async () => {
    let succeed: (user: string) => void = () => undefined;
    const slow = new Promise<string>((resolve) => (succeed = resolve));
    const attempt = logins.attempt(by('192.0.2.1', 'a@a'), () => slow);
    clock.advance({ seconds: 900 });
    await logins.attempt(by('192.0.2.1', 'b@a'), wrong);
    succeed('user');
    await attempt;

    expect(logins.status('192.0.2.1')).toEqual({ limit: 10, remaining: 9, reset: 900 });
  });

  it('is off where the limit is 0', async () => {
    logins = limiter(clock, 0);
    await failTimes(50, () => logins.attempt(by('192.0.2.1', 'a@a'), wrong));

    expect(logins.status('192.0.2.1')).toBeUndefined();
    expect(() => logins.checkAddress('192.0.2.1')).not.toThrow();
  });

  it('rejects concurrent right logins beyond the limit for one second only', async () => {
    const attempts = Array.from({ length: 20 }, () =>
      logins.attempt(by('192.0.2.1', 'a@a'), right),
    );
    const outcomes = await Promise.allSettled(attempts);
    const rejected = outcomes.filter(({ status }) => status === 'rejected');

    expect(rejected).toHaveLength(10);
    expect(rejected[0]).toMatchObject({ reason: { ...TOO_MANY, retryAfter: 1 } });
    await expect(logins.attempt(by('192.0.2.1', 'a@a'), right)).resolves.toBe('user');
  });

  describe('of one account by different callers', () => {
    const [victim, account] = ['198.51.100.1', 'a@a.example'];
    const attack = () =>
      failTimes(30, (index) => logins.attempt(by(`192.0.2.${index}`, account), wrong));

    it.each(['known_address', 'session'] as const)(
      'does not block a %s for failures of strangers',
      async (who) => {
        await attack();

        await expect(logins.attempt(by(victim, account), right)).rejects.toMatchObject(TOO_MANY);
        await expect(logins.attempt(by(victim, account, who), right)).resolves.toBe('user');
      },
    );

    it('allows a known address 10 failures, and does not count them for strangers', async () => {
      const known = by(victim, account, 'known_address');
      await failTimes(29, (index) => logins.attempt(by(`192.0.2.${index}`, account), wrong));
      await failTimes(10, () => logins.attempt(known, wrong));

      await expect(logins.attempt(known, right)).rejects.toMatchObject(TOO_MANY);
      await expect(logins.attempt(by('203.0.113.1', account), right)).resolves.toBe('user');
    });

    it('allows sessions 30 failures across addresses, and does not count them for others', async () => {
      const session = (index: number) => by(`192.0.2.${index}`, account, 'session');
      await failTimes(30, (index) => logins.attempt(session(index), wrong));

      await expect(logins.attempt(session(99), right)).rejects.toMatchObject(TOO_MANY);
      await expect(logins.attempt(by(victim, account), right)).resolves.toBe('user');
    });

    it('limits an address as every kind of caller', async () => {
      await failTimes(10, (index) => logins.attempt(by(victim, `${index}@a.example`), wrong));

      for (const who of ['stranger', 'known_address', 'session'] as const) {
        const attempt = logins.attempt(by(victim, account, who), right);
        await expect(attempt).rejects.toMatchObject(TOO_MANY);
      }
    });
  });
});
