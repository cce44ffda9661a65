import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { RateLimitStatus } from '../../server/rate-limit/rate-limit-status.js';
import { FailureLimit } from './failure-limit.js';
import { Clock } from '../../shared/time/clock.js';

/** An attempt to log in, or to change a password. */
export interface LoginAttempt {
  /** The caller's address, as rate limits count it. */
  readonly address: string;
  /** The e-mail address of the account, whether it exists or not. */
  readonly account: string;
  /** The kind of caller. The failures of each kind are counted separately. */
  readonly by: 'stranger' | 'known_address' | 'session';
}

/**
 * Limits wrong passwords by address and by account. Failures of strangers block neither an address from
 * which the account was logged in to before nor the holder of a session.
 */
@Injectable()
export class LoginLimiter {
  private readonly byAddress: FailureLimit;
  private readonly byAccount: FailureLimit;
  private readonly byKnownAddress: FailureLimit;
  private readonly bySessions: FailureLimit;

  constructor({ limits }: Config, clock: Clock) {
    this.byAddress = new FailureLimit(limits.loginByAddress, clock);
    this.byAccount = new FailureLimit(limits.loginByAccount, clock);
    this.byKnownAddress = new FailureLimit(limits.loginByAddress, clock);
    this.bySessions = new FailureLimit(limits.loginByAccount, clock);
  }

  /** The rate limit status of an address; undefined where the limit is off. */
  status(address: string): RateLimitStatus | undefined {
    return this.byAddress.status(address);
  }

  /** @throws DomainError TOO_MANY_REQUESTS where an address has too many failures */
  checkAddress(address: string): void {
    rejectUntil(this.byAddress.waitFor(address));
  }

  /**
   * Makes an attempt. It is counted as a failure in advance, so that concurrent guesses cannot exceed the
   * limit, and uncounted unless it fails.
   *
   * @param login resolves to null where the credentials are wrong
   * @param onLockout called once a window for each limit, when a failure reaches it
   * @throws DomainError TOO_MANY_REQUESTS; then the attempt is neither made nor counted
   */
  async attempt<T>(
    attempt: LoginAttempt,
    login: () => Promise<T | null>,
    onLockout: (limit: 'address' | 'account') => void = () => undefined,
  ): Promise<T | null> {
    const { address } = attempt;
    const [ofAccount, account] = this.accountLimitOf(attempt);
    rejectUntil(Math.max(this.byAddress.waitFor(address), ofAccount.waitFor(account)));
    const endOfAddress = this.byAddress.reserve(address);
    const endOfAccount = ofAccount.reserve(account);
    let hasFailed = false;
    try {
      const result = await login();
      hasFailed = result === null;
      return result;
    } finally {
      if (endOfAddress(hasFailed)) onLockout('address');
      if (endOfAccount(hasFailed)) onLockout('account');
    }
  }

  /** The limit by account that applies to an attempt, and its key there. */
  private accountLimitOf({ address, account, by }: LoginAttempt): [FailureLimit, string] {
    switch (by) {
      case 'stranger':
        return [this.byAccount, account];
      case 'known_address':
        return [this.byKnownAddress, `${account} ${address}`];
      case 'session':
        return [this.bySessions, account];
    }
  }
}

function rejectUntil(retryAfter: number): void {
  if (retryAfter > 0) throw new DomainError('TOO_MANY_REQUESTS', {}, { retryAfter });
}
