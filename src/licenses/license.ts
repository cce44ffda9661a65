import type { AccountId } from '../shared/ids/account-id.js';
import { addMonths } from '../shared/time/add-months.js';

/** What a license includes: web hosting, domain registration and management. */
export const SERVICES = ['Hosting', 'Domain'] as const;
export type Service = (typeof SERVICES)[number];

/** The status as it is stored. EXPIRED is none of them: it follows from ACTIVE and the time. */
export const STORED_STATUSES = ['PENDING', 'ACTIVE', 'REVOKED'] as const;
export type StoredStatus = (typeof STORED_STATUSES)[number];

export const LICENSE_STATUSES = ['PENDING', 'ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

/** Fewest and most months of a license's duration. */
export const MIN_DURATION = 1;
export const MAX_DURATION = 12;

/** A license as it is stored (specification, section 2). */
export interface License {
  readonly _id: string;
  /** Keyed hash of the license key's normal form; unique. */
  readonly keyHash: string;
  /** The license key, sealed; opened only to show it to its owner. */
  readonly sealedKey: string;
  /** Months, as issued. */
  readonly duration: number;
  /** Creation; from the first activation on, the time of that. */
  readonly issuedAt: Date;
  /** The end of the term: `termStart` and `termMonths`. */
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
  /** Keyed hash of the machine that it is bound to; null before the first activation. */
  readonly machineId: string | null;
  readonly activatedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedReason: string | null;
  /** The license that this one was issued in place of. */
  readonly replaces: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a caller decides of a new license. */
export type LicenseTerms = Pick<License, 'duration' | 'services'>;

/** A license that nobody has activated: its expiry is only what it would be if activated now. */
export function issueLicense(
  issued: LicenseTerms &
    Pick<License, '_id' | 'keyHash' | 'sealedKey' | 'user' | 'client' | 'project' | 'replaces'>,
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

/** A license's term: its start, its months and its end, which always follows from the two. */
export type Term = Pick<License, 'termStart' | 'termMonths' | 'expiresAt'>;

export function termFrom(termStart: Date, termMonths: number): Term {
  return { termStart, termMonths, expiresAt: addMonths(termStart, termMonths) };
}

/** The status as it is shown, filtered and counted: a license is EXPIRED from the moment its end has come. */
export function statusOf(license: Pick<License, 'status' | 'expiresAt'>, now: Date): LicenseStatus {
  return license.status === 'ACTIVE' && license.expiresAt <= now ? 'EXPIRED' : license.status;
}
