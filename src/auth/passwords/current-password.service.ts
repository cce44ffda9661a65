import { Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { User } from '../accounts/user.js';
import type { UserPrincipal } from '../principal.js';
import { LoginLimiter } from '../../limits/login-limiter.js';

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
    const ids = { account: user.account, user: user._id };
    const verify = async () => {
      const isRight = await this.accounts.hasPassword(user, password);
      if (!isRight) this.securityLog.record('wrong_password', ids);
      return isRight || null;
    };
    const attempt = { address, account: user.email, by: 'session' } as const;
    const isRight = await this.limiter.attempt(attempt, verify, (limit) =>
      this.securityLog.record('lockout', { ...ids, limit }),
    );
    return isRight ?? false;
  }
}

/** @param field of the body that had it */
export const wrongPassword = (field: string) => new DomainError('WRONG_PASSWORD', { field });
