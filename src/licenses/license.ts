import type { AccountId } from '../shared/ids/account-id.js';
import { addMonths } from '../shared/time/add-months.js';

/** What a license includes: web hosting, domain registration and management. */
export const SERVICES = ['Hosting', 'Domain'] as const;
export type Service = (typeof SERVICES)[number];

/** The stored statuses. EXPIRED is not stored: it follows from ACTIVE and the time. */
export const STORED_STATUSES = ['PENDING', 'ACTIVE', 'REVOKED'] as const;
export type StoredStatus = (typeof STORED_STATUSES)[number];

export const LICENSE_STATUSES = ['PENDING', 'ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

/** Minimum and maximum of a license's duration, in months. */
export const MIN_DURATION = 1;
export const MAX_DURATION = 12;

/** A license as it is stored (specification, section 2). */
export interface License {
  readonly _id: string;
  /** Keyed hash of the license key in normal form; unique. */
  readonly keyHash: string;
  /** The license key, sealed; unsealed only to show it to its owner. */
  readonly sealedKey: string;
  /** Months, as issued. */
  readonly duration: number;
  /** The time of creation, replaced by the time of the first activation. */
  readonly issuedAt: Date;
  /** The end of the term: `termStart` plus `termMonths`. */
  readonly expiresAt: Date;
  /** The start of the term: `issuedAt`, until the license is renewed after its end. */
  readonly termStart: Date;
  /** Months of the term, renewals included. */
  readonly termMonths: number;
  readonly services: readonly Service[];
  readonly status: StoredStatus;
  readonly user: AccountId;
  readonly client: string;
  readonly project: string;
  /** The label of its project's product, copied here so that one look-up can check it. */
  readonly product: string | null;
  /** Keyed hash of the machine to which it is bound; null before the first activation. */
  readonly machineId: string | null;
  readonly activatedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedReason: string | null;
  /** The id of the license that this one replaces. */
  readonly replaces: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The terms of a new license, chosen by the caller. */
export type LicenseTerms = Pick<License, 'duration' | 'services'>;

/** What a new license takes from its project, and from the license that it replaces. */
export type LicenseOrigin = 'user' | 'client' | 'project' | 'product' | 'replaces';

/** A new PENDING license. Its expiry is provisional, as if it were activated now. */
export function issueLicense(
  issued: LicenseTerms & Pick<License, '_id' | 'keyHash' | 'sealedKey' | LicenseOrigin>,
  now: Date,
): License {
  return {
    ...issued,
    status: 'PENDING',
    issuedAt: now,
    ...termFrom(now, issued.duration),
    machineId: null,
    activatedAt: null,
    revokedAt: null,
    revokedReason: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** A license's term: its start, its months, and its end, which is derived from both. */
export type Term = Pick<License, 'termStart' | 'termMonths' | 'expiresAt'>;

export function termFrom(termStart: Date, termMonths: number): Term {
  return { termStart, termMonths, expiresAt: addMonths(termStart, termMonths) };
}

/** The status as shown, filtered and counted: an ACTIVE license is EXPIRED from its end on. */
export function statusOf(license: Pick<License, 'status' | 'expiresAt'>, now: Date): LicenseStatus {
  return license.status === 'ACTIVE' && license.expiresAt <= now ? 'EXPIRED' : license.status;
}
