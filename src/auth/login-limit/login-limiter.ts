import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { type NamedLimit, RateLimitWindows } from '../../rate-limits/rate-limit-windows.js';
import { Clock } from '../../shared/time/clock.js';
import { FailureLimit } from '../../rate-limits/failure-limit.js';

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
  /** Also counts failed authentications that are no logins. */
  readonly byAddress: FailureLimit;
  private readonly byAccount: FailureLimit;
  private readonly byKnownAddress: FailureLimit;
  private readonly bySessions: FailureLimit;

  constructor({ limits }: Config, windows: RateLimitWindows, clock: Clock) {
    const { loginByAddress, loginByAccount } = limits;
    const limitOf = (limit: NamedLimit) => new FailureLimit(limit, windows, clock);
    this.byAddress = limitOf({ name: 'loginByAddress', ...loginByAddress });
    this.byAccount = limitOf({ name: 'loginByAccount', ...loginByAccount });
    this.byKnownAddress = limitOf({ name: 'loginFromKnownAddress', ...loginByAddress });
    this.bySessions = limitOf({ name: 'loginInSession', ...loginByAccount });
  }

  /**
   * Makes an attempt. It is counted as a failure in advance, so that concurrent guesses cannot exceed the
   * limit, and uncounted unless it fails.
   *
   * @param login resolves to null where the credentials are wrong
   * @param onLockout called once a window for each limit, when a failure reaches it
   * @throws DomainError TOO_MANY_REQUESTS; then the attempt is neither made nor counted
   */
  attempt<T>(
    attempt: LoginAttempt,
    login: () => Promise<T | null>,
    onLockout: (limit: 'address' | 'account') => void = () => undefined,
  ): Promise<T | null> {
    const [ofAccount, account] = this.accountLimitOf(attempt);
    const fromAddress = () =>
      this.byAddress.run(attempt.address, login, () => onLockout('address'));
    // The account first: where it is attacked from many addresses, an instance remembers that it is locked.
    return ofAccount.run(account, fromAddress, () => onLockout('account'));
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
