import type { AccountId } from '../shared/ids/account-id.js';
import { collection, id, integer, list, type RecordOf, text, time } from '../storage/collection.js';
import { addMonths } from './add-months.js';

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

const FIELDS = {
  _id: id(),
  /** Keyed hash of the license key in normal form; unique. */
  keyHash: text(),
  /** The license key, sealed; unsealed only to show it to its owner. */
  sealedKey: text(),
  /** Months, as issued. */
  duration: integer(),
  /** The time of creation, replaced by the time of the first activation. */
  issuedAt: time(),
  /** The end of the term: `termStart` plus `termMonths`. */
  expiresAt: time(),
  /** The start of the term: `issuedAt`, until the license is renewed after its end. */
  termStart: time(),
  /** Months of the term, renewals included. */
  termMonths: integer(),
  services: list<Service>(),
  status: text<StoredStatus>(),
  user: id<AccountId>(),
  client: id(),
  project: id(),
  /** A copy of its project's product, by which licenses are listed; the project's is the authority. */
  product: text().nullable(),
  /** Keyed hash of the machine to which it is bound; null before the first activation. */
  machineId: text().nullable(),
  activatedAt: time().nullable(),
  revokedAt: time().nullable(),
  revokedReason: text().nullable(),
  /** The id of the license that this one replaces. */
  replaces: id().nullable(),
  createdAt: time(),
  updatedAt: time(),
};

/** A license as it is stored (specification, section 2). */
export type License = RecordOf<typeof FIELDS>;

export const LICENSES = collection<License>('licenses', {
  fields: FIELDS,
  unique: [['keyHash']],
  indexes: [
    ['project', 'createdAt', '_id'],
    ['project', 'status', 'expiresAt', '_id'],
    ['client', 'createdAt', '_id'],
    ['user', 'product', 'createdAt', '_id'],
    ['user', 'product', 'expiresAt', '_id'],
    ['user', 'status', 'createdAt', '_id'],
    ['user', 'status', 'expiresAt', '_id'],
    ['user', 'createdAt', '_id'],
    ['user', 'expiresAt', '_id'],
    ['user', 'activatedAt'],
  ],
  account: 'user',
  cached: true,
});

/** The terms of a new license, chosen by the caller. */
export type LicenseTerms = Pick<License, 'duration' | 'services'>;

/** What a new license takes from its project, and from the license that it replaces. */
export type LicenseOrigin = 'user' | 'client' | 'project' | 'product' | 'replaces';

/** A new PENDING license. Its expiry is provisional, as if it were activated now. */
export function issueLicense(
  issued: LicenseTerms & Pick<License, '_id' | 'version' | 'keyHash' | 'sealedKey' | LicenseOrigin>,
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
