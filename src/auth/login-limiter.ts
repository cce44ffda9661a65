import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { Clock } from '../shared/time/clock.js';
import { FailureLimit, type Standing } from './failure-limit.js';

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
  standing(address: string): Standing | undefined {
    return this.byAddress.standing(address);
  }

  /** @throws DomainError TOO_MANY_REQUESTS where an address has failed too often */
  checkAddress(address: string): void {
    refuseUntil(this.byAddress.waitFor(address));
  }

  /**
   * Makes an attempt. It counts as failed before it is made, so that guesses in parallel cannot
   * pass the limit, and is taken back unless it has failed.
   *
   * @param login answers null where the credentials are wrong
   * @throws DomainError TOO_MANY_REQUESTS, and then nothing is counted
   */
  async attempt<T>(attempt: LoginAttempt, login: () => Promise<T | null>): Promise<T | null> {
    const limits = this.limitsOf(attempt);
    refuseUntil(Math.max(...limits.map(([limit, key]) => limit.waitFor(key))));
    const settle = limits.map(([limit, key]) => limit.claim(key));
    let hasFailed = false;
    try {
      const result = await login();
      hasFailed = result === null;
      return result;
    } finally {
      settle.forEach((tell) => tell(hasFailed));
    }
  }

  /** The limits that an attempt is held to, each with its key. */
  private limitsOf({ address, account, by }: LoginAttempt): [FailureLimit, string][] {
    const ofAddress: [FailureLimit, string] = [this.byAddress, address];
    switch (by) {
      case 'stranger':
        return [ofAddress, [this.byAccount, account]];
      case 'known_address':
        return [ofAddress, [this.byKnownAddress, `${account} ${address}`]];
      case 'session':
        return [ofAddress, [this.bySessions, account]];
    }
  }
}

function refuseUntil(retryAfter: number): void {
  if (retryAfter > 0) throw new DomainError('TOO_MANY_REQUESTS', {}, { retryAfter });
}
