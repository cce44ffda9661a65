import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { License, LicenseStatus, Term } from './license.js';
import type { LicenseEvent } from './license-event.js';

/**
 * The port to the stored licenses. Each change is one conditional statement, in one transaction with the
 * event that tells of it and with the claim that it is made under; `null` means that the condition did
 * not hold, and nothing was changed.
 */
export abstract class LicensesRepository {
  /**
   * The license with this keyed hash of its key, or null. It may come from memory where the process
   * owns the store, but is never older than the last change that was acknowledged.
   */
  abstract findByKeyHash(keyHash: string): Promise<License | null>;

  abstract findOwned(_id: string, accountId: AccountId): Promise<License | null>;

  /** A page of the user's licenses. Status is what it is `now`. */
  abstract listOwned(
    accountId: AccountId,
    query: LicenseQuery,
    page: PageRequest,
    now: Date,
  ): Promise<Page<License>>;

  /** Binds a PENDING license to a machine and makes it ACTIVE. */
  abstract activate(
    _id: string,
    activation: Activation,
    event: LicenseEvent,
  ): Promise<License | null>;

  /**
   * Makes a PENDING or ACTIVE license of this user REVOKED.
   *
   * @throws ClaimTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  abstract revoke(
    _id: string,
    accountId: AccountId,
    revocation: Revocation,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null>;

  /**
   * Gives an ACTIVE license of this user another term, if its term is still the one that was read.
   *
   * @throws ClaimTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  abstract renew(
    read: License,
    renewal: Renewal,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null>;

  /**
   * Makes a PENDING or ACTIVE license of the replacement's user REVOKED and stores its replacement, both
   * or neither. The license that is replaced stays, so the replacement is one more in the quota.
   *
   * @throws ClaimTaken; DomainError LICENSE_QUOTA_REACHED, IDEMPOTENCY_QUOTA_REACHED
   */
  abstract reissue(
    reissue: Reissue,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued | 'key_collision' | null>;
}

/** What of a user's licenses a list shows, and in which order; ties are broken by id. */
export interface LicenseQuery {
  readonly status: LicenseStatus | undefined;
  readonly client: string | undefined;
  readonly project: string | undefined;
  /** Only licenses whose term has begun, and ends or ended before. */
  readonly expiresBefore: Date | undefined;
  readonly sort: 'createdAt' | 'expiresAt';
  readonly order: 'asc' | 'desc';
}

/** What the first activation writes; `activatedAt` is the time of the change. */
export type Activation = Term & {
  readonly issuedAt: Date;
  readonly machineId: string;
  readonly activatedAt: Date;
};

/** What a revocation writes; `revokedAt` is the time of the change. */
export interface Revocation {
  readonly revokedAt: Date;
  readonly revokedReason: string | null;
}

/** What a renewal writes; `updatedAt` is the time of the change. */
export type Renewal = Term & Pick<License, 'updatedAt'>;

/** What a reissue writes: the revocation of the license that `replacement` replaces, and that. */
export interface Reissue {
  readonly revocation: Revocation;
  readonly replacement: License & { readonly replaces: string };
  /** `reissued` of the one license, `created` of the other. */
  readonly events: readonly [LicenseEvent, LicenseEvent];
}

/** Both licenses, as a reissue has left them. */
export interface Reissued {
  readonly revoked: License;
  readonly license: License;
}
