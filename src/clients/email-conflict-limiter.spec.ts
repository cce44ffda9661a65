import { FakeClock } from '../../test/fake-clock.js';
import type { Config } from '../shared/config/config.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { MemoryRateLimitWindows } from '../shared/rate-limit/memory-rate-limit-windows.js';
import { EmailConflictLimiter } from './email-conflict-limiter.js';

const LIMIT = 3;
const TOO_MANY = { code: 'TOO_MANY_REQUESTS' };
const [ADA, EVE] = [newAccountId(), newAccountId()];

describe('EmailConflictLimiter', () => {
  let clock: FakeClock;
  let limiter: EmailConflictLimiter;
  const limiterOf = (requests: number) => {
    const limits = { emailConflicts: { requests, seconds: 3600 } };
    return new EmailConflictLimiter({ limits } as Config, new MemoryRateLimitWindows(), clock);
  };
  beforeEach(() => {
    clock = new FakeClock();
    limiter = limiterOf(LIMIT);
  });

  const taken = () => Promise.resolve('email_taken' as const);
  const created = () => Promise.resolve('client');
  const conflict = async (times: number, account = EVE) => {
    for (let i = 0; i < times; i++) await limiter.run(account, taken);
  };
  it('rejects writes from the limit of conflicts until the window ends', async () => {
    await conflict(LIMIT);
    clock.advance({ seconds: 600 });
    const write = jest.fn(created);
    await expect(limiter.run(EVE, write)).rejects.toMatchObject({
      ...TOO_MANY,
      retryAfter: 3000,
    });
    expect(write).not.toHaveBeenCalled();
    expect(await limiter.run(ADA, write)).toBe('client');
    clock.advance({ seconds: 3000 });
    expect(await limiter.run(EVE, write)).toBe('client');
  });

  it('counts neither successes nor other errors', async () => {
    const broken = () => Promise.reject(new Error('broken'));
    await conflict(LIMIT - 1);
    for (let i = 0; i < 10; i++) {
      await limiter.run(EVE, created);
      await expect(limiter.run(EVE, broken)).rejects.toThrow('broken');
    }
    expect(await limiter.run(EVE, taken)).toBe('email_taken');
    await expect(limiter.run(EVE, created)).rejects.toMatchObject(TOO_MANY);
  });

  it('lets writes in progress complete, and rejects later ones', async () => {
    await Promise.all(Array.from({ length: 10 }, () => limiter.run(EVE, taken)));
    await expect(limiter.run(EVE, created)).rejects.toMatchObject(TOO_MANY);
  });

  it('is off where the limit is 0', async () => {
    limiter = limiterOf(0);
    await conflict(100);
    expect(await limiter.run(EVE, created)).toBe('client');
  });
});
