import { FakeClock } from '../../test/fake-clock.js';
import type { Config } from '../shared/config/config.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { MemoryRateLimitWindows } from '../shared/rate-limit/memory-rate-limit-windows.js';
import { EmailConflictLimiter } from './email-conflict-limiter.js';

const LIMIT = 3;
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

  const conflict = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await expect(limiter.reject(EVE)).rejects.toMatchObject({
        code: 'CLIENT_EMAIL_TAKEN',
        fields: { field: 'email' },
      });
    }
  };

  it('rejects writes of the account from the limit of conflicts until the window ends', async () => {
    await conflict(LIMIT - 1);
    await limiter.requireWithinLimit(EVE);
    await conflict(1);
    clock.advance({ seconds: 600 });
    await expect(limiter.requireWithinLimit(EVE)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfter: 3000,
    });
    await limiter.requireWithinLimit(ADA);
    clock.advance({ seconds: 3000 });
    await limiter.requireWithinLimit(EVE);
  });

  it('is off where the limit is 0', async () => {
    limiter = limiterOf(0);
    await conflict(100);
    await limiter.requireWithinLimit(EVE);
  });
});
