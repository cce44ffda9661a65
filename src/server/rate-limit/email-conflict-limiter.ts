import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { namedLimit, RateLimitWindows } from '../../shared/rate-limit/rate-limit-windows.js';
import { Clock } from '../../shared/time/clock.js';
import { tooManyRequests } from './rate-limit-status.js';

/**
 * Limits how often an account can find out that a client or a login, perhaps another account's, has an e-mail address.
 * Beyond the limit a write is rejected before it could reveal that. The few writes of the account that are
 * in progress at that moment still can.
 */
@Injectable()
export class EmailConflictLimiter {
  private readonly limit = namedLimit(this.config, 'emailConflicts');

  constructor(
    private readonly config: Config,
    private readonly windows: RateLimitWindows,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError TOO_MANY_REQUESTS from the limit on; then nothing may be written */
  async requireWithinLimit(accountId: AccountId): Promise<void> {
    const { limit, windows, clock } = this;
    if (limit.requests === 0) return;
    const { hits, endsIn } = await windows.peek(limit, accountId, clock.now());
    if (hits >= limit.requests) throw tooManyRequests(limit, endsIn);
  }

  /**
   * Counts a conflict.
   *
   * @throws DomainError with the code of the conflict
   */
  async reject(
    accountId: AccountId,
    code: 'CLIENT_EMAIL_TAKEN' | 'EMAIL_ALREADY_REGISTERED',
  ): Promise<never> {
    const { limit, windows, clock } = this;
    if (limit.requests > 0) await windows.hit(limit, accountId, clock.now());
    throw new DomainError(code, { field: 'email' });
  }
}
