import type { AccountId } from '../../shared/ids/account-id.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { PublicSigningKeys, SigningKeys } from './signing-keys.js';

/** The port to the stored signing keys, one record an account. */
export abstract class SigningKeysRepository {
  abstract find(accountId: AccountId): Promise<SigningKeys | null>;

  abstract findByIssuer(issuer: string): Promise<SigningKeys | null>;

  /** Stores the first keys of an account unless it has some; returns the stored ones. */
  abstract keepFirst(keys: SigningKeys): Promise<SigningKeys | 'account_deleted'>;

  /**
   * Stores the keys after a rotation, if `read` is still the current key.
   *
   * @param read its `kid`
   * @throws IdempotencyKeyTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  abstract rotate(
    read: string,
    rotated: SigningKeys,
    idempotency?: IdempotencyRecord,
  ): Promise<PublicSigningKeys | null>;

  /**
   * Replaces an account's keys by exported ones, unless it has rotated more often than they have, or the issuer is
   * another account's: the one whose keys have it, or the one whose id it is.
   */
  abstract import(
    keys: SigningKeys,
  ): Promise<'imported' | 'rotated_since' | 'issuer_taken' | 'account_deleted'>;
}
