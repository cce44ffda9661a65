import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { RateLimitStatus } from '../../server/rate-limit/rate-limit-status.js';
import { FailureLimit } from './failure-limit.js';
import { Clock } from '../../shared/time/clock.js';

/** An attempt to prove a password. */
export interface LoginAttempt {
  /** The caller's, as limits count it. */
  readonly address: string;
  /** The e-mail address of the account, known or not. */
  readonly account: string;
  /** Who tries: of the failures of each, those of the others do not count. */
  readonly by: 'stranger' | 'known_address' | 'session';
}

/**
 * Limits failures to prove a password: by address, and by account. Those by strangers to an account block
 * neither an address that it was logged in to from nor the holder of a live session.
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

  /** How an address stands; undefined where there is no limit. */
  status(address: string): RateLimitStatus | undefined {
    return this.byAddress.status(address);
  }

  /** @throws DomainError TOO_MANY_REQUESTS where an address has failed too often */
  checkAddress(address: string): void {
    rejectUntil(this.byAddress.waitFor(address));
  }

  /**
   * Makes an attempt. It counts as failed before it is made, so that guesses in parallel cannot
   * pass the limit, and is taken back unless it has failed.
   *
   * @param login answers null where the credentials are wrong
   * @param onLockout is called once a window, by the failure that reaches the limit of the address or account
   * @throws DomainError TOO_MANY_REQUESTS, and then nothing is counted
   */
  async attempt<T>(
    attempt: LoginAttempt,
    login: () => Promise<T | null>,
    onLockout: (limit: 'address' | 'account') => void = () => undefined,
  ): Promise<T | null> {
    const { address } = attempt;
    const [ofAccount, account] = this.accountLimitOf(attempt);
    rejectUntil(Math.max(this.byAddress.waitFor(address), ofAccount.waitFor(account)));
    const settle = {
      address: this.byAddress.reserve(address),
      account: ofAccount.reserve(account),
    };
    let hasFailed = false;
    try {
      const result = await login();
      hasFailed = result === null;
      return result;
    } finally {
      if (settle.address(hasFailed)) onLockout('address');
      if (settle.account(hasFailed)) onLockout('account');
    }
  }

  /** The limit of the account that an attempt is held to, and its key there. */
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
