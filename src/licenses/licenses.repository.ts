import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { type License, type LicenseStatus, type Term, termFrom } from './license.js';
import type { LicenseEvent } from './license-event.js';

/**
 * The port to the stored licenses. Each change is one conditional statement, done or not done together with its
 * event and its idempotency record. `null` means that the condition did not hold, or that the project was
 * deleted meanwhile: then nobody sees the license.
 */
export abstract class LicensesRepository {
  /**
   * The license with this keyed hash of its key, or null. It may come from a cache where the process owns
   * the store, but is never older than the last acknowledged change.
   */
  abstract findByKeyHash(keyHash: string): Promise<License | null>;

  abstract findOwned(_id: string, accountId: AccountId): Promise<License | null>;

  /** A page of the account's licenses, with statuses as of `now`. */
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
   * Revokes a PENDING or ACTIVE license of this account.
   *
   * @throws IdempotencyKeyTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  abstract revoke(
    _id: string,
    accountId: AccountId,
    revocation: Revocation,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null>;

  /**
   * Changes the term of an ACTIVE license, unless it has changed since the license was read.
   *
   * @throws IdempotencyKeyTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  abstract renew(
    read: License,
    renewal: Renewal,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null>;

  /**
   * Stores the events of a certificate for a machine without a network, and activates a PENDING license for that
   * machine. An ACTIVE one must still have the machine and the term with which it was read.
   *
   * @throws IdempotencyKeyTaken; DomainError IDEMPOTENCY_QUOTA_REACHED
   */
  abstract certify(
    certification: Certification,
    idempotency?: IdempotencyRecord,
  ): Promise<Certified | null>;

  /**
   * Revokes a PENDING or ACTIVE license and stores its replacement, of the same product, both or neither. The
   * replaced license stays, so both count towards the quota.
   *
   * @throws IdempotencyKeyTaken; DomainError LICENSE_QUOTA_REACHED, IDEMPOTENCY_QUOTA_REACHED
   */
  abstract reissue(
    reissue: Reissue,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued | 'key_collision' | null>;
}

/** The filter and the order of a list of licenses; ties are broken by id. */
export interface LicenseQuery {
  readonly status: LicenseStatus | undefined;
  readonly client: string | undefined;
  readonly project: string | undefined;
  /** The label. */
  readonly product: string | undefined;
  /** Only activated licenses whose term ends before this time. */
  readonly expiresBefore: Date | undefined;
  readonly sort: 'createdAt' | 'expiresAt';
  readonly order: 'asc' | 'desc';
}

/** The fields that the first activation writes; `activatedAt` is the time of the change. */
export type Activation = Term & {
  readonly issuedAt: Date;
  readonly machineId: string;
  readonly activatedAt: Date;
};

/** The first activation of a license, with which its term begins. */
export function activationOf({ duration }: License, machineId: string, now: Date): Activation {
  return { machineId, activatedAt: now, issuedAt: now, ...termFrom(now, duration) };
}

/** The fields that a revocation writes; `revokedAt` is the time of the change. */
export interface Revocation {
  readonly revokedAt: Date;
  readonly revokedReason: string | null;
}

/** The fields that a renewal writes; `updatedAt` is the time of the change. */
export type Renewal = Term & Pick<License, 'updatedAt'>;

/** A certificate for a machine without a network. */
export interface Certification {
  readonly read: License;
  /** The first activation of a PENDING license; null for an ACTIVE one. */
  readonly activation: { readonly fields: Activation; readonly event: LicenseEvent } | null;
  readonly certificate: string;
  /** `certificate_issued`. */
  readonly event: LicenseEvent;
}

/** A license with its certificate. */
export interface Certified {
  readonly license: License;
  readonly certificate: string;
}

/** A reissue: the revocation of a license, and its replacement. */
export interface Reissue {
  readonly revocation: Revocation;
  readonly replacement: License & { readonly replaces: string };
  /** `reissued` of the revoked license, and `created` of the replacement. */
  readonly events: readonly [LicenseEvent, LicenseEvent];
}

/** Both licenses after a reissue. */
export interface Reissued {
  readonly revoked: License;
  readonly license: License;
  /** The latest end of the revoked license's certificates for machines without a network; null if it had none. */
  readonly lastCertificateEnd: Date | null;
}
