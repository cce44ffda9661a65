import { Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { Decisions } from '../../storage/decisions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CurrentPassword, wrongPassword } from './current-password.service.js';
import { rejectGuessable } from './new-password.js';
import type { UserPrincipal } from '../principal.js';

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
   * Sets a new password and ends every other session of the member. Wrong current passwords are limited by
   * address, together with failed logins, and by account.
   */
  async change(
    { accountId, id, session }: UserPrincipal,
    { currentPassword, newPassword }: Passwords,
    address: string,
    idempotency?: IdempotencyRecord,
  ): Promise<void> {
    const user = await this.accounts.get(id);
    await rejectGuessable('newPassword', newPassword, user.email);
    const isRepeat = idempotency && (await this.decisions.findResult(idempotency)) !== undefined;
    if (isRepeat) return this.confirm(id, newPassword, address);
    const isRight = await this.currentPassword.verify(user, currentPassword, address);
    if (!isRight) throw wrongPassword('currentPassword');
    const outcome = await this.accounts.changePassword(user, newPassword, session, idempotency);
    if (outcome === 'done_before') return this.confirm(id, newPassword, address);
    this.securityLog.record('password_changed', { account: accountId, user: id });
  }

  /**
   * Confirms that a request repeats an earlier change, by verifying its new password: nothing of the first
   * body was kept. A wrong one is counted as a failure, like any guess.
   */
  private async confirm(id: string, password: string, address: string): Promise<void> {
    const user = await this.accounts.get(id);
    const isRepeat = await this.currentPassword.verify(user, password, address);
    if (!isRepeat) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
  }
}
