import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { RateLimits } from './rate-limits.js';

/** How an import fails if it would reveal what another account has. */
export interface ImportConflicts {
  /** @throws DomainError TOO_MANY_REQUESTS if the account had too many conflicts, before it could reveal another one */
  check(accountId: AccountId): Promise<void>;
  /** @throws DomainError with the code of the conflict; TOO_MANY_REQUESTS beyond the limit */
  reject(accountId: AccountId, code: 'KEY_TAKEN' | 'CLIENT_EMAIL_TAKEN'): Promise<never>;
}

/** Limits how often an account can find out by imports that another account has a key or an email address. */
@Injectable()
export class ImportConflictLimiter implements ImportConflicts {
  private readonly limit = this.config.limits.importConflicts;

  constructor(
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {}

  async check(accountId: AccountId): Promise<void> {
    await this.limits.check(this.limit, accountId);
  }

  async reject(accountId: AccountId, code: 'KEY_TAKEN' | 'CLIENT_EMAIL_TAKEN'): Promise<never> {
    await this.limits.count(this.limit, accountId);
    throw new DomainError(code, { field: code === 'KEY_TAKEN' ? 'key' : 'client.email' });
  }
}
