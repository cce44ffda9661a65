import { Injectable } from '@nestjs/common';
import { type LoginAttempt, LoginLimiter } from '../../limits/login-limiter.js';
import { EVENTS } from '../../events/event.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { Clock } from '../../shared/time/clock.js';
import { insert, replace } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { idsOf, newAccountEvent, type User, USERS } from '../accounts/user.js';
import type { UserPrincipal } from '../principal.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { NO_PASSWORD, PasswordHasher } from './password-hasher.js';
import { rejectGuessable } from './password.decorators.js';
import type { ChangePasswordDto } from '../dto/credentials.dto.js';

/**
 * Verifies and changes passwords. Wrong passwords count by address and account. Wrong passwords in sessions
 * share the limit for failed logins.
 */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly hasher: PasswordHasher,
    private readonly limiter: LoginLimiter,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether a password is the user's. If there is no user, it still verifies one hash, so response times do
   * not reveal whether a login exists.
   */
  async verify(
    user: User | null,
    password: string,
    attempt: LoginAttempt,
    onWrong: () => void,
  ): Promise<boolean> {
    const verified = await this.limiter.attempt(
      attempt,
      async () => {
        const isCorrect = await this.hasher.verify(user?.passwordHash ?? NO_PASSWORD, password);
        if (isCorrect && user) return true;
        onWrong();
        return null;
      },
      (limit) => this.securityLog.record('lockout', { ...idsOf(user), limit }),
    );
    return verified ?? false;
  }

  /**
   * Requires the password of a session's member.
   *
   * @throws DomainError WRONG_PASSWORD, TOO_MANY_REQUESTS; UNAUTHORIZED if the login was deleted
   */
  async require({ id }: UserPrincipal, password: string, address: string): Promise<void> {
    const user = await this.accounts.get(id);
    if (!(await this.isCorrect(user, password, address))) throw wrongPassword('password');
  }

  /** Sets a new password and ends the member's other sessions. */
  async change(
    caller: UserPrincipal,
    { currentPassword, newPassword }: ChangePasswordDto,
    address: string,
    idempotency?: IdempotencyRecord,
  ): Promise<void> {
    const verified = await this.accounts.get(caller.id);
    await rejectGuessable('newPassword', newPassword, verified.email);
    const isRepeat = idempotency && (await this.decisions.findResult(idempotency)) !== undefined;
    if (isRepeat) return this.confirm(caller, newPassword, address);
    const isCorrect = await this.isCorrect(verified, currentPassword, address);
    if (!isCorrect) throw wrongPassword('currentPassword');
    const passwordHash = await this.hasher.hash(newPassword);
    const updatedAt = this.clock.now();
    const change = { changedAt: updatedAt };
    const decide = async () => {
      const user = await this.store.find(USERS, { _id: caller.id });
      if (user?.passwordHash !== verified.passwordHash) throw wrongPassword('currentPassword');
      // A session started meanwhile changes the user, so the commit fails.
      const others = await this.sessions.listOthers(caller);
      const changes = [
        replace(USERS, user, { ...user, passwordHash, updatedAt }),
        insert(EVENTS, newAccountEvent('account.password_changed', user, updatedAt)),
        ...others.flatMap((session) => this.sessions.endSession(session)),
      ];
      return { result: change, changes };
    };
    const done = await this.decisions.run(decide, { idempotency, key: caller.id });
    if (done !== change) return this.confirm(caller, newPassword, address);
    this.securityLog.record('password_changed', idsOf(verified));
  }

  /**
   * Confirms that a request repeats an earlier change, by verifying its new password: the first body is not
   * stored. A wrong password counts as a failure, like any guess.
   */
  private async confirm({ id }: UserPrincipal, password: string, address: string): Promise<void> {
    const user = await this.accounts.get(id);
    const isRepeat = await this.isCorrect(user, password, address);
    if (!isRepeat) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
  }

  private isCorrect(user: User, password: string, address: string): Promise<boolean> {
    const attempt = { address, account: user.email, by: 'session' } as const;
    const onWrong = () => this.securityLog.record('wrong_password', idsOf(user));
    return this.verify(user, password, attempt, onWrong);
  }
}

const wrongPassword = (field: string) => new DomainError('WRONG_PASSWORD', { field });
