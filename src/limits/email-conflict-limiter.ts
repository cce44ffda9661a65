import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { RateLimits } from './rate-limits.js';

/**
 * Limits how often an account can find out that a client or login, possibly of another account, has an email address. At the
 * limit, writes are rejected before they could reveal it.
 */
@Injectable()
export class EmailConflictLimiter {
  private readonly limit = this.config.limits.emailConflicts;

  constructor(
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {}

  /** @throws DomainError TOO_MANY_REQUESTS */
  async check(accountId: AccountId): Promise<void> {
    await this.limits.check(this.limit, accountId);
  }

  /**
   * Counts a conflict.
   *
   * @throws DomainError with the code of the conflict; TOO_MANY_REQUESTS beyond the limit
   */
  async reject(
    accountId: AccountId,
    code: 'CLIENT_EMAIL_TAKEN' | 'EMAIL_ALREADY_REGISTERED',
  ): Promise<never> {
    await this.limits.count(this.limit, accountId);
    throw new DomainError(code, { field: 'email' });
  }
}
