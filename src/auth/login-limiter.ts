import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { FailureLimit, type Standing } from '../shared/http/rate-limit/failure-limit.js';
import { Clock } from '../shared/time/clock.js';

/** Limits failed logins, by the address that limits count by and by account, known or not. */
@Injectable()
export class LoginLimiter {
  private readonly byAddress: FailureLimit;
  private readonly byAccount: FailureLimit;

  constructor(config: Config, clock: Clock) {
    this.byAddress = new FailureLimit(config.limits.loginByAddress, clock);
    this.byAccount = new FailureLimit(config.limits.loginByAccount, clock);
  }

  /** How an address stands; undefined where there is no limit. */
  standing(address: string): Standing | undefined {
    return this.byAddress.standing(address);
  }

  /** @throws DomainError TOO_MANY_REQUESTS where an address has failed too often */
  checkAddress(address: string): void {
    refuseUntil(this.byAddress.waitFor(address));
  }

  /**
   * Makes a login attempt. It counts as failed before it is made, so that guesses in parallel cannot
   * pass the limit, and is taken back unless it has failed.
   *
   * @param login answers null where the credentials are wrong
   * @throws DomainError TOO_MANY_REQUESTS, and then nothing is counted
   */
  async attempt<T>(
    address: string,
    account: string,
    login: () => Promise<T | null>,
  ): Promise<T | null> {
    refuseUntil(Math.max(this.byAddress.waitFor(address), this.byAccount.waitFor(account)));
    const settle = [this.byAddress.claim(address), this.byAccount.claim(account)];
    let hasFailed = false;
    try {
      const result = await login();
      hasFailed = result === null;
      return result;
    } finally {
      settle.forEach((tell) => tell(hasFailed));
    }
  }
}

function refuseUntil(retryAfter: number): void {
  if (retryAfter > 0) throw new DomainError('TOO_MANY_REQUESTS', {}, { retryAfter });
}
