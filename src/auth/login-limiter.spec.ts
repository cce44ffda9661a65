import { FakeClock } from '../../test/fake-clock.js';
import type { Config } from '../shared/config/config.js';
import { LoginLimiter } from './login-limiter.js';

const TOO_MANY = { code: 'TOO_MANY_REQUESTS' };
const wrong = () => Promise.resolve(null);
const right = () => Promise.resolve('user');

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

  it('lets an address fail 10 times, whatever the accounts, and then says how long to wait', async () => {
    await failTimes(10, (index) => logins.attempt('192.0.2.1', `${index}@a.example`, wrong));
    clock.advance({ seconds: 100 });

    const login = jest.fn(right);
    await expect(logins.attempt('192.0.2.1', 'new@a.example', login)).rejects.toMatchObject({
      ...TOO_MANY,
      retryAfter: 800,
    });
    expect(login).not.toHaveBeenCalled();
    expect(() => logins.checkAddress('192.0.2.1')).toThrow('Too many requests');
    expect(() => logins.checkAddress('192.0.2.2')).not.toThrow();
  });

  it('lets an account fail 30 times, whatever the addresses', async () => {
    await failTimes(30, (index) => logins.attempt(`192.0.2.${index}`, 'a@a.example', wrong));

    await expect(logins.attempt('192.0.2.99', 'a@a.example', right)).rejects.toMatchObject(
      TOO_MANY,
    );
    await expect(logins.attempt('192.0.2.99', 'b@a.example', right)).resolves.toBe('user');
  });

  it('holds guesses in parallel to the limit', async () => {
    const login = jest.fn(wrong);
    const attempts = Array.from({ length: 50 }, () => logins.attempt('192.0.2.1', 'a@a', login));
    const outcomes = await Promise.allSettled(attempts);

    expect(login).toHaveBeenCalledTimes(10);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(40);
  });

  it('counts no login that succeeds, and forgives no failure for one', async () => {
    await failTimes(9, () => logins.attempt('192.0.2.1', 'a@a', wrong));
    await failTimes(20, () => logins.attempt('192.0.2.1', 'a@a', right));
    await logins.attempt('192.0.2.1', 'a@a', wrong);

    await expect(logins.attempt('192.0.2.1', 'a@a', right)).rejects.toMatchObject(TOO_MANY);
  });

  it('S22: reports a lockout once a window, of the address and of the account', async () => {
    const lockouts: string[] = [];
    const attempt = (index: number, login: () => Promise<string | null>) =>
      logins
        .attempt(`192.0.2.${index}`, 'a@a', login, (limit) => lockouts.push(`${index} ${limit}`))
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

  it('S22: reports no lockout where there is no limit', async () => {
    const onLockout = jest.fn();
    logins = limiter(clock, 0);
    await failTimes(50, () => logins.attempt('192.0.2.1', 'a@a', wrong, onLockout));
    expect(onLockout).not.toHaveBeenCalled();
  });

  it('counts no attempt that could not be decided', async () => {
    const overloaded = () => Promise.reject(new Error('overloaded'));
    await failTimes(20, () => logins.attempt('192.0.2.1', 'a@a', overloaded).catch(() => null));

    expect(logins.standing('192.0.2.1')).toEqual({ limit: 10, remaining: 10, reset: 0 });
  });

  it('counts no refused attempt, and begins anew when the window ends', async () => {
    await failTimes(10, () => logins.attempt('192.0.2.1', 'a@a', wrong));
    clock.advance({ seconds: 899 });
    await failTimes(5, () => logins.attempt('192.0.2.1', 'a@a', wrong).catch(() => null));
    clock.advance({ seconds: 1 });

    expect(logins.standing('192.0.2.1')).toEqual({ limit: 10, remaining: 10, reset: 0 });
    await expect(logins.attempt('192.0.2.1', 'a@a', right)).resolves.toBe('user');
  });

  it('takes nothing back from a window in which it was not counted', async () => {
    let succeed: (user: string) => void = () => undefined;
    const slow = new Promise<string>((resolve) => (succeed = resolve));
    const attempt = logins.attempt('192.0.2.1', 'a@a', () => slow);
    clock.advance({ seconds: 900 });
    await logins.attempt('192.0.2.1', 'b@a', wrong);
    succeed('user');
    await attempt;

    expect(logins.standing('192.0.2.1')).toEqual({ limit: 10, remaining: 9, reset: 900 });
  });

  it('limits nothing where the limit is 0', async () => {
    logins = limiter(clock, 0);
    await failTimes(50, () => logins.attempt('192.0.2.1', 'a@a', wrong));

    expect(logins.standing('192.0.2.1')).toBeUndefined();
    expect(() => logins.checkAddress('192.0.2.1')).not.toThrow();
  });

  it('refuses right logins in parallel for a moment only: none of them has failed', async () => {
    const attempts = Array.from({ length: 20 }, () => logins.attempt('192.0.2.1', 'a@a', right));
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.filter(({ status }) => status === 'rejected');

    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({ reason: { ...TOO_MANY, retryAfter: 1 } });
    await expect(logins.attempt('192.0.2.1', 'a@a', right)).resolves.toBe('user');
  });
});
