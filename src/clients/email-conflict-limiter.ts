import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { RequestLimit } from '../server/rate-limit/request-limit.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Clock } from '../shared/time/clock.js';

/**
 * Limits how often an account learns that a client, maybe another account's, has an e-mail address. Beyond
 * the limit a write fails before it could tell whether the address is taken. Writes that are in progress
 * when the limit is reached may still tell, and an account has few of those.
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

  /**
   * Runs a write that sets a client's e-mail address.
   *
   * @throws DomainError TOO_MANY_REQUESTS, and then the write does not run
   */
  async run<T>(accountId: AccountId, write: () => Promise<T | 'email_taken'>) {
    this.conflicts.check(accountId, this.clock.now().getTime());
    const result = await write();
    if (result === 'email_taken') this.conflicts.count(accountId, this.clock.now().getTime());
    return result;
  }
}
