import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import type { AccountOverview, PasswordChange, PasswordChanged, User } from './user.js';

/** The port to the stored accounts. E-mail addresses are in normal form. */
export abstract class UsersRepository {
  /** Stores an account, unless one with this e-mail address exists. */
  abstract create(user: User): Promise<'created' | 'email_taken'>;

  /** Stores an account, unless any exists: of concurrent calls, in any instance, exactly one succeeds. */
  abstract createFirst(user: User): Promise<'created' | 'not_first'>;

  /** Whether there is any account. */
  abstract exist(): Promise<boolean>;

  abstract findById(accountId: AccountId): Promise<User | null>;

  abstract findByEmail(email: string): Promise<User | null>;

  /** A page of accounts, ordered by e-mail address, after this one; the first page where it is undefined. */
  abstract list(after: string | undefined, limit: number): Promise<AccountOverview[]>;

  /** Sets a new password and ends every session of the account, in one transaction. */
  abstract resetPassword(accountId: AccountId, passwordHash: string, now: Date): Promise<void>;

  /**
   * Sets a new password if the current one has not changed, and ends every other session of the account, in
   * one transaction: of concurrent changes exactly one succeeds.
   *
   * @throws IdempotencyKeyTaken
   */
  abstract changePassword(
    change: PasswordChange,
    idempotency?: IdempotencyRecord,
  ): Promise<PasswordChanged | 'wrong_password'>;

  /** Disables an account and ends every session of it, in one transaction. */
  abstract disable(
    email: string,
    now: Date,
  ): Promise<'disabled' | 'already_disabled' | 'not_found'>;

  abstract enable(email: string, now: Date): Promise<'enabled' | 'already_enabled' | 'not_found'>;
}
