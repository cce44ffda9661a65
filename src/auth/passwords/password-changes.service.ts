import { Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { validationError } from '../../shared/errors/validation-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { Decisions } from '../../storage/decisions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CurrentPassword, wrongPassword } from './current-password.service.js';
import { commonPasswords, GUESSABLE, isPasswordGuessable } from './password-policy.js';
import type { Principal } from '../principal.js';
import type { User } from '../accounts/user.js';

/** The passwords of a change. The new one meets the policy, except for the rules about the e-mail address. */
export interface Passwords {
  readonly currentPassword: string;
  readonly newPassword: string;
}

@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly decisions: Decisions,
    private readonly currentPassword: CurrentPassword,
    private readonly securityLog: SecurityLog,
  ) {}

  /**
   * Sets a new password and ends every other session of the account. Wrong current passwords are limited by
   * address, together with failed logins, and by account.
   *
   * @throws DomainError UNAUTHORIZED, VALIDATION_ERROR, WRONG_PASSWORD, IDEMPOTENCY_KEY_REUSED,
   *   TOO_MANY_REQUESTS
   */
  async change(
    { accountId, session }: Pick<Principal, 'accountId' | 'session'>,
    passwords: Passwords,
    address: string,
    idempotency?: IdempotencyRecord,
  ): Promise<void> {
    const user = await this.accounts.get(accountId);
    await rejectGuessable(passwords.newPassword, user);
    const outcome = await this.currentPassword.attempt(user, address, () =>
      this.attempt(user, passwords, session, idempotency),
    );
    if (outcome === null) throw wrongPassword('currentPassword');
    if (outcome === 'changed') this.securityLog.record('password_changed', { account: accountId });
    if (outcome === 'done_before') await this.confirm(accountId, passwords.newPassword, address);
  }

  /** @returns null where the current password is wrong */
  private async attempt(
    user: User,
    { currentPassword, newPassword }: Passwords,
    session: string,
    idempotency: IdempotencyRecord | undefined,
  ): Promise<'changed' | 'done_before' | null> {
    if (idempotency && (await this.decisions.findResult(idempotency))) return 'done_before';
    if (!(await this.accounts.hasPassword(user, currentPassword))) return null;
    try {
      return await this.accounts.changePassword(user, newPassword, session, idempotency);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'WRONG_PASSWORD') return null;
      throw error;
    }
  }

  /**
   * Confirms that a request repeats an earlier change, by verifying its new password: nothing of the first
   * body was kept. A wrong one is counted as a failure, like any guess.
   */
  private async confirm(accountId: AccountId, password: string, address: string): Promise<void> {
    const user = await this.accounts.get(accountId);
    const isRepeat = await this.currentPassword.verify(user, password, address);
    if (!isRepeat) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
  }
}

/** The body was validated without the e-mail address, which it does not contain. */
async function rejectGuessable(newPassword: string, { email }: User): Promise<void> {
  if (isPasswordGuessable(newPassword, email, await commonPasswords())) {
    throw validationError({ newPassword: [`newPassword ${GUESSABLE}`] });
  }
}
