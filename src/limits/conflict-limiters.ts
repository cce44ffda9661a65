import { Injectable } from '@nestjs/common';
import { Config, type Limit } from '../shared/config/config.js';
import type { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { RateLimits } from './rate-limits.js';

/** What happens to a write that would reveal what another account has. */
export interface Conflicts {
  /** @throws DomainError TOO_MANY_REQUESTS if the account had too many conflicts, before it could reveal another one */
  check(accountId: AccountId): Promise<void>;
  /** @throws DomainError the conflict; TOO_MANY_REQUESTS beyond the limit */
  reject(accountId: AccountId, conflict: DomainError): Promise<never>;
}

class ConflictLimiter implements Conflicts {
  constructor(
    private readonly limits: RateLimits,
    private readonly limit: Limit,
  ) {}

  async check(accountId: AccountId): Promise<void> {
    await this.limits.check(this.limit, accountId);
  }

  async reject(accountId: AccountId, conflict: DomainError): Promise<never> {
    await this.limits.count(this.limit, accountId);
    throw conflict;
  }

  /** Rejects a conflict, and any write of an account that had too many. */
  async require(accountId: AccountId, isFree: boolean, conflict: DomainError): Promise<void> {
    if (!isFree) await this.reject(accountId, conflict);
    await this.check(accountId);
  }
}

/** Limits how often an account can find out that a client or login, possibly of another account, has an email address. */
@Injectable()
export class EmailConflictLimiter extends ConflictLimiter {
  constructor(limits: RateLimits, config: Config) {
    super(limits, config.limits.emailConflicts);
  }
}

/** Limits how often an account can find out by imports that another account has a key or an email address. */
@Injectable()
export class ImportConflictLimiter extends ConflictLimiter {
  constructor(limits: RateLimits, config: Config) {
    super(limits, config.limits.importConflicts);
  }
}
