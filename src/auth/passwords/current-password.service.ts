import { Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { User } from '../accounts/user.js';
import type { UserPrincipal } from '../principal.js';
import { LoginLimiter } from '../login-limit/login-limiter.js';

/** Verifies that the holder of a session knows the password. Wrong ones are limited by address, together with failed logins, and by account. */
@Injectable()
export class CurrentPassword {
  constructor(
    private readonly accounts: AccountsService,
    private readonly limiter: LoginLimiter,
    private readonly securityLog: SecurityLog,
  ) {}

  /** @throws DomainError WRONG_PASSWORD, TOO_MANY_REQUESTS; UNAUTHORIZED where the login was deleted */
  async require({ id }: UserPrincipal, password: string, address: string): Promise<void> {
    const user = await this.accounts.get(id);
    if (!(await this.verify(user, password, address))) throw wrongPassword('password');
  }

  /** @throws DomainError TOO_MANY_REQUESTS */
  async verify(user: User, password: string, address: string): Promise<boolean> {
    const isRight = async () => (await this.accounts.hasPassword(user, password)) || null;
    return (await this.attempt(user, address, isRight)) ?? false;
  }

  /**
   * Makes an attempt. Where it returns null, it is counted as a failed login and logged.
   *
   * @throws DomainError TOO_MANY_REQUESTS; then the attempt is not made
   */
  attempt<T>(
    { _id: user, account, email }: User,
    address: string,
    attempt: () => Promise<T | null>,
  ): Promise<T | null> {
    const checked = async () => {
      const result = await attempt();
      if (result === null) this.securityLog.record('wrong_password', { account, user });
      return result;
    };
    return this.limiter.attempt({ address, account: email, by: 'session' }, checked, (limit) =>
      this.securityLog.record('lockout', { account, user, limit }),
    );
  }
}

/** @param field of the body that had it */
export const wrongPassword = (field: string) => new DomainError('WRONG_PASSWORD', { field });
