import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { RequestLimit } from '../server/rate-limit/request-limit.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Clock } from '../shared/time/clock.js';

/**
 * Limits how often an account can find out that a client, perhaps another account's, has an e-mail address.
 * Beyond the limit a write is rejected before it could reveal that. The few writes of the account that are
 * in progress at that moment still can.
 */
@Injectable()
export class EmailConflictLimiter {
  private readonly conflicts: RequestLimit;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.conflicts = new RequestLimit(config.limits.emailConflicts);
  }

  /** @throws DomainError TOO_MANY_REQUESTS; then the write does not run */
  async run<T>(accountId: AccountId, write: () => Promise<T | 'email_taken'>) {
    this.conflicts.check(accountId, this.clock.now().getTime());
    const result = await write();
    if (result === 'email_taken') this.conflicts.count(accountId, this.clock.now().getTime());
    return result;
  }
}
