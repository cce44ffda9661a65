import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { FailureLimit } from '../shared/http/rate-limit/failure-limit.js';
import { Clock } from '../shared/time/clock.js';

/**
 * Limits how often an account learns that a client, maybe another account's, has an e-mail address. Beyond
 * the limit a write fails before it could tell whether the address is taken.
 */
@Injectable()
export class EmailConflictLimiter {
  private readonly conflicts: FailureLimit;

  constructor(config: Config, clock: Clock) {
    this.conflicts = new FailureLimit(config.limits.emailConflicts, clock);
  }

  /**
   * Runs a write that sets a client's e-mail address. It counts as a conflict before it runs, so that
   * parallel writes cannot pass the limit, and is taken back unless it is one.
   *
   * @throws DomainError TOO_MANY_REQUESTS, and then the write does not run
   */
  async run<T>(account: string, write: () => Promise<T | 'email_taken'>) {
    const retryAfter = this.conflicts.waitFor(account);
    if (retryAfter > 0) throw new DomainError('TOO_MANY_REQUESTS', {}, { retryAfter });
    const settle = this.conflicts.claim(account);
    let isConflict = false;
    try {
      const result = await write();
      isConflict = result === 'email_taken';
      return result;
    } finally {
      settle(isConflict);
    }
  }
}
