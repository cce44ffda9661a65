import type { IdempotencyClaim } from '../shared/idempotency/idempotency-claim.js';
import type { PasswordChange, PasswordChanged, User } from './user.js';

/** The port to the stored accounts. */
export abstract class UsersRepository {
  /** Stores an account, unless one with this e-mail address exists. */
  abstract create(user: User): Promise<'created' | 'email_taken'>;

  abstract findById(_id: string): Promise<User | null>;

  /** @param email in its normal form */
  abstract findByEmail(email: string): Promise<User | null>;

  /** Sets a new password and ends every session of the account, in one transaction. */
  abstract resetPassword(_id: string, passwordHash: string, now: Date): Promise<void>;

  /**
   * Sets a new password if the current one is still the account's, and ends every other session of the
   * account, in one transaction: of several changes from one password exactly one succeeds.
   *
   * @throws ClaimTaken
   */
  abstract changePassword(
    change: PasswordChange,
    claim?: IdempotencyClaim,
  ): Promise<PasswordChanged | 'wrong_password'>;
}
