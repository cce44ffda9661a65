import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { RateLimits } from './rate-limits.js';

/** Maximum concurrent password checks per account and kind of caller: a quarter of the queue. */
const MAX_IN_PROGRESS = 4;

/** An attempt to log in or to confirm a password. */
export interface LoginAttempt {
  /** The caller's address, as counted by rate limits. */
  readonly address: string;
  /** The email address of the account, which may not exist. */
  readonly account: string;
  /** The kind of caller; each has its own failure count. */
  readonly by: 'stranger' | 'known_address' | 'session';
}

/**
 * Limits wrong passwords by address and by account. Failures of strangers block neither the account's known
 * addresses nor its open sessions.
 */
@Injectable()
export class LoginLimiter {
  /** The attempts in progress per account and kind of caller. */
  private readonly inProgress = new Map<string, number>();

  constructor(
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {}

  /**
   * Makes an attempt, and counts it if it fails. Checks the limits again before returning a result.
   * Otherwise concurrent guesses would exceed them; this way, only as many guesses as the limits allow
   * learn whether they are right.
   *
   * @param verify resolves to null if the password is wrong; must change nothing
   * @param onLockout called when a failure reaches a limit, once per window
   * @throws DomainError TOO_MANY_REQUESTS, whether or not the password is right;
   * TOO_MANY_CONCURRENT_REQUESTS
   */
  async attempt<T>(
    attempt: LoginAttempt,
    verify: () => Promise<T | null>,
    onLockout: (limit: 'address' | 'account') => void = () => undefined,
  ): Promise<T | null> {
    const windows = this.windowsOf(attempt);
    const check = () => Promise.all(windows.map(({ limit, key }) => this.limits.check(limit, key)));
    await check();
    const result = await this.inTurn(`${attempt.by} ${attempt.account}`, verify);
    if (result !== null) {
      await check();
      return result;
    }
    const count = async ({ of, limit, key }: (typeof windows)[number]) => {
      const status = await this.limits.count(limit, key);
      if (status?.remaining === 0) onLockout(of);
    };
    await Promise.all(windows.map(count));
    return null;
  }

  /**
   * Counts a failure for an address alone.
   *
   * @throws DomainError TOO_MANY_REQUESTS beyond the limit
   */
  async countFailure(address: string, onLockout: () => void): Promise<void> {
    const status = await this.limits.count(this.config.limits.loginByAddress, address);
    if (status?.remaining === 0) onLockout();
  }

  /** Allows few attempts in progress per account, across addresses. */
  private async inTurn<T>(caller: string, verify: () => Promise<T>): Promise<T> {
    const count = this.inProgress.get(caller) ?? 0;
    if (count >= MAX_IN_PROGRESS) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: 'account' });
    }
    this.inProgress.set(caller, count + 1);
    try {
      return await verify();
    } finally {
      const left = this.inProgress.get(caller)! - 1;
      if (left > 0) this.inProgress.set(caller, left);
      else this.inProgress.delete(caller);
    }
  }

  private windowsOf({ address, account, by }: LoginAttempt) {
    const { loginByAccount, loginFromKnownAddress, loginInSession, loginByAddress } =
      this.config.limits;
    const [limit, key] = {
      stranger: [loginByAccount, account] as const,
      known_address: [loginFromKnownAddress, `${account} ${address}`] as const,
      session: [loginInSession, account] as const,
    }[by];
    return [
      { of: 'account', limit, key },
      { of: 'address', limit: loginByAddress, key: address },
    ] as const;
  }
}
