import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Clock } from '../shared/time/clock.js';
import { FailureLimit } from './failure-limit.js';
import { namedLimit, RateLimitWindows } from './rate-limit-windows.js';

/**
 * Limits how often an account can find out that a client or a login, perhaps another account's, has an e-mail address.
 * Beyond the limit a write is rejected before it could reveal that. The few writes of the account that are
 * in progress at that moment still can.
 */
@Injectable()
export class EmailConflictLimiter extends FailureLimit {
  constructor(config: Config, windows: RateLimitWindows, clock: Clock) {
    super(namedLimit(config, 'emailConflicts'), windows, clock);
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
    await this.count(accountId);
    throw new DomainError(code, { field: 'email' });
  }
}
