import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '../server/rate-limit/rate-limit-status.js';
import { Config } from '../shared/config/config.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { type NamedLimit, RateLimitWindows } from '../shared/rate-limit/rate-limit-windows.js';
import { Clock } from '../shared/time/clock.js';

/**
 * Limits how often an account can find out that a client, perhaps another account's, has an e-mail address.
 * Beyond the limit a write is rejected before it could reveal that. The few writes of the account that are
 * in progress at that moment still can.
 */
@Injectable()
export class EmailConflictLimiter {
  private readonly limit: NamedLimit;

  constructor(
    { limits }: Config,
    private readonly windows: RateLimitWindows,
    private readonly clock: Clock,
  ) {
    this.limit = { name: 'emailConflicts', ...limits.emailConflicts };
  }

  /** @throws DomainError TOO_MANY_REQUESTS; then the write does not run */
  async run<T>(accountId: AccountId, write: () => Promise<T | 'email_taken'>) {
    const { limit, windows, clock } = this;
    if (limit.requests === 0) return write();
    const { hits, endsIn } = await windows.look(limit, accountId, clock.now());
    if (hits >= limit.requests) throw tooManyRequests(limit, endsIn);
    const result = await write();
    if (result === 'email_taken') await windows.hit(limit, accountId, clock.now());
    return result;
  }
}
