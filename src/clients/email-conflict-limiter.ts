import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { FailureLimit } from '../shared/http/rate-limit/failure-limit.js';
import { requestContext } from '../shared/http/request-context.js';
import { Clock } from '../shared/time/clock.js';

/** Resolves when one of an account's open writes ends. */
interface NextEnd {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/**
 * Limits how often an account learns that a client, maybe another account's, has an e-mail address. Beyond
 * the limit a write fails before it could tell whether the address is taken.
 */
@Injectable()
export class EmailConflictLimiter {
  private readonly conflicts: FailureLimit;
  private readonly nextEnds = new Map<string, NextEnd>();

  constructor(config: Config, clock: Clock) {
    this.conflicts = new FailureLimit(config.limits.emailConflicts, clock);
  }

  /**
   * Runs a write that sets a client's e-mail address. It counts as a conflict before it runs, so that
   * parallel writes cannot pass the limit, and is taken back unless it is one.
   *
   * @throws DomainError TOO_MANY_REQUESTS, STORE_UNAVAILABLE, and then the write does not run
   */
  async run<T>(account: string, write: () => Promise<T | 'email_taken'>) {
    // Parallel writes that are no conflicts, such as an import, must not fail because they fill the limit.
    while (this.conflicts.isFilledByOpen(account)) await this.waitForNextEnd(account);
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
      this.nextEnds.get(account)?.resolve();
      this.nextEnds.delete(account);
    }
  }

  /** @throws DomainError STORE_UNAVAILABLE where the request's deadline has passed by then */
  private async waitForNextEnd(account: string): Promise<void> {
    const context = requestContext.getStore();
    const { promise } = this.nextEndOf(account);
    // An open write ends by its own deadline, so nobody waits much longer than this.
    await (context ? context.whileWaiting(() => promise) : promise);
    if (context && performance.now() >= context.endsAt) {
      throw new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1, cause: 'deadline' });
    }
  }

  private nextEndOf(account: string): NextEnd {
    let next = this.nextEnds.get(account);
    if (!next) {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((done) => (resolve = done));
      next = { promise, resolve };
      this.nextEnds.set(account, next);
    }
    return next;
  }
}
