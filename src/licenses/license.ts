import type { AccountId } from '../shared/ids.js';
import { collection, type RecordOf, field } from '../storage/collection.js';
import {
  isPerpetual,
  newTerm,
  nextNotice,
  nextUpdatesNotice,
  type Term,
  termUntil,
} from './term.js';

/** The stored statuses. EXPIRED is not stored: it follows from `expiresAt` and the clock. */
export const STORED_STATUSES = ['PENDING', 'ACTIVE', 'SUSPENDED', 'REVOKED'] as const;
export type StoredStatus = (typeof STORED_STATUSES)[number];

export const LICENSE_STATUSES = ['PENDING', 'ACTIVE', 'EXPIRED', 'SUSPENDED', 'REVOKED'] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

/** Who may release a seat without a lease: only the vendor, or also the machine itself. */
export const RELEASE_POLICIES = ['owner', 'self'] as const;
export type ReleasePolicy = (typeof RELEASE_POLICIES)[number];

/** The vendor's own notes, as pairs of name and value, because MongoDB would interpret some names in objects. */
export type Metadata = readonly (readonly [name: string, value: string])[];

/** Characters of a key's hash: 144 bits. */
const SEATS_LENGTH = 24;

const FIELDS = {
  _id: field.id(),
  /** Keyed hash of the license key in normal form; unique. */
  keyHash: field.text(),
  /** The license key, sealed; unsealed only to show it to its owner. */
  sealedKey: field.text(),
  /** The last four characters of the license key. */
  keyHint: field.text(),
  /** Months, as issued; null if the license was not issued for months. */
  duration: field.integer().nullable(),
  /** Days of 24 hours, as issued; null if the license was not issued for days. */
  days: field.integer().nullable(),
  /** The time of creation, replaced by the time of the first activation. */
  issuedAt: field.time(),
  /** The end of the term: `termStart` plus `termMonths` plus `termDays`, or {@link NO_END}. */
  expiresAt: field.time(),
  /** Whether the expiry date is fixed: no activation moves it, and a replacement keeps it. */
  endIsFixed: field.boolean(),
  /**
   * The start of the term: `issuedAt`; the time of the renewal, if it was renewed after expiring; or the
   * fixed expiry date, which renewals extend.
   */
  termStart: field.time(),
  /** Months of the term, renewals included. */
  termMonths: field.integer(),
  /** Days of the term, renewals included. */
  termDays: field.integer(),
  /** When updates end; null if unlimited, or if `updatesDays` is set. */
  updatesUntil: field.time().nullable(),
  /** Days of updates, starting at the first activation; null after it. */
  updatesDays: field.integer().nullable(),
  services: field.list<string>(),
  status: field.text<StoredStatus>(),
  user: field.id<AccountId>(),
  client: field.id(),
  project: field.id(),
  /** A copy of its project's product, for listing licenses. The project has the authoritative one. */
  product: field.text().nullable(),
  maxMachines: field.integer(),
  /**
   * The number of its machine records, including expired and released ones. A commit that adds one never
   * exceeds `maxMachines`.
   */
  seats: field.integer(),
  /** Identifies the machines that hold its seats: its {@link ownSeats}, or a group it has taken over; null once a replacement has them. */
  seatsOf: field.text().nullable(),
  /** Seconds a machine holds its seat after each heartbeat; null if it holds the seat until released. */
  leaseSeconds: field.integer().nullable(),
  /** When leases were last removed. A lease that had expired by then stays expired. */
  unleasedAt: field.time().nullable(),
  /** The earliest end of the leases that started when leases were last added. */
  leasedUntil: field.time().nullable(),
  release: field.text<ReleasePolicy>(),
  /** When machines released themselves, in milliseconds since 1970, as far back as the limit counts. */
  releasedAt: field.list<number>(),
  /** The included features, sorted. */
  entitlements: field.list<string>(),
  metadata: field.json<Metadata>(),
  /** The vendor's own id, such as an order's; unique in the account. */
  externalId: field.text().nullable(),
  /** The id of the plan it was issued with. */
  plan: field.id().nullable(),
  /** When its last offline activation certificate expires; null if it never had one. */
  certificatesEndAt: field.time().nullable(),
  /** When the next event about its expiry is due; null if none is left. */
  nextNoticeAt: field.time().nullable(),
  /** The same for the end of updates. */
  nextUpdatesNoticeAt: field.time().nullable(),
  activatedAt: field.time().nullable(),
  /** Why it is SUSPENDED, if a reason was given; null otherwise. */
  suspendedReason: field.text().nullable(),
  revokedAt: field.time().nullable(),
  revokedReason: field.text().nullable(),
  /** The id of the license that this one replaces. */
  replaces: field.id().nullable(),
  /** The id of the first license in its chain of replacements. */
  original: field.id().nullable(),
  /** Hash of the source and reference it was imported from; unique. A replacement takes it over. */
  importedAs: field.text().nullable(),
  /** Keyed digests of the fields of the imported row; null after its account has moved. */
  importDigest: field.text().nullable(),
  createdAt: field.time(),
  updatedAt: field.time(),
};

/** A license as stored (specification, section 2). */
export type License = RecordOf<typeof FIELDS>;

export const LICENSES = collection<License>('licenses', {
  fields: FIELDS,
  unique: [['keyHash'], ['user', 'externalId'], ['seatsOf'], ['importedAs']],
  indexes: [
    ['project', 'createdAt', '_id'],
    ['project', 'status', 'expiresAt', '_id'],
    ['client', 'createdAt', '_id'],
    ['user', 'plan', 'createdAt', '_id'],
    ['user', 'product', 'createdAt', '_id'],
    ['user', 'product', 'expiresAt', '_id'],
    ['user', 'status', 'createdAt', '_id'],
    ['user', 'status', 'expiresAt', '_id'],
    ['user', 'createdAt', '_id'],
    ['user', 'expiresAt', '_id'],
    ['user', 'keyHint', '_id'],
    ['user', 'activatedAt'],
    // With the account, so that due licenses are counted by account, and skipped, without reading them.
    ['status', 'nextNoticeAt', '_id', 'user'],
    ['status', 'nextUpdatesNoticeAt', '_id', 'user'],
  ],
  account: 'user',
  cached: true,
});

/** The terms of a new license, chosen by the caller; `expiresAt` applies if the end is fixed. */
export type LicenseTerms = Pick<
  License,
  | 'duration'
  | 'days'
  | 'expiresAt'
  | 'endIsFixed'
  | 'updatesUntil'
  | 'updatesDays'
  | 'services'
  | 'maxMachines'
  | 'leaseSeconds'
  | 'release'
  | 'entitlements'
  | 'metadata'
  | 'externalId'
  | 'plan'
>;

/** The fields that a new license takes from its project, and from the license it replaces. */
export type LicenseOrigin = Pick<License, 'user' | 'client' | 'project' | 'product'> &
  Partial<Pick<License, 'replaces' | 'original' | 'releasedAt' | 'importedAs' | 'importDigest'>>;

/** The stored forms of a license key. */
export type StoredKey = Pick<License, 'keyHash' | 'sealedKey' | 'keyHint'>;

/**
 * A new PENDING license. Its expiry is provisional, as if it were activated now, unless it is fixed.
 */
export function issueLicense(
  issued: LicenseTerms & LicenseOrigin & StoredKey & Pick<License, '_id' | 'version'>,
  now: Date,
): License {
  const term = issued.endIsFixed ? termUntil(issued.expiresAt) : newTerm(now, issued);
  return {
    replaces: null,
    original: null,
    releasedAt: [],
    importedAs: null,
    importDigest: null,
    ...issued,
    status: 'PENDING',
    issuedAt: now,
    ...term,
    seats: 0,
    seatsOf: ownSeats(issued.keyHash),
    unleasedAt: null,
    leasedUntil: null,
    certificatesEndAt: null,
    nextNoticeAt: issued.endIsFixed ? nextNotice(term, now) : null,
    nextUpdatesNoticeAt: nextUpdatesNotice(issued.updatesUntil, now),
    activatedAt: null,
    suspendedReason: null,
    revokedAt: null,
    revokedReason: null,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The seat group of a license that has not taken over another's. Derived from the key, so license and
 * machine can be read at the same time.
 */
export const ownSeats = (keyHash: string): string => keyHash.slice(0, SEATS_LENGTH);

/** The expiry date of a license as shown; null if perpetual. */
export const endOfLicense = (license: License): Date | null =>
  isPerpetual(license) ? null : license.expiresAt;

/** Whether the term starts with an activation that has not happened yet. */
export const startsOnActivation = (license: License): boolean =>
  license.activatedAt === null && !license.endIsFixed && !isPerpetual(license);

/** A license with another term, which has started or has a fixed expiry date. */
export const withTerm = (license: License, term: Term, now: Date): License => ({
  ...license,
  ...term,
  nextNoticeAt: nextNotice(term, now),
});

/** A license with another end of updates; null means unlimited. */
export const withUpdatesUntil = (
  license: License,
  updatesUntil: Date | null,
  now: Date,
): License => ({
  ...license,
  updatesUntil,
  updatesDays: null,
  nextUpdatesNoticeAt: nextUpdatesNotice(updatesUntil, now),
});

/** A license restored from the bin, with the notices that are still due. */
export const withNoticesLeft = (license: License, now: Date): License => {
  const { updatesUntil } = license;
  const due = startsOnActivation(license) ? null : nextNotice(license, now);
  return {
    ...license,
    nextNoticeAt: license.nextNoticeAt ?? due,
    nextUpdatesNoticeAt: license.nextUpdatesNoticeAt ?? nextUpdatesNotice(updatesUntil, now),
  };
};

/**
 * The status as shown, filtered and counted: a license is EXPIRED from its expiry date on, but a PENDING
 * one only if that date is fixed.
 */
export function statusOf(
  { status, expiresAt, endIsFixed }: Pick<License, 'status' | 'expiresAt' | 'endIsFixed'>,
  now: Date,
): LicenseStatus {
  const mayExpire = status === 'ACTIVE' || (status === 'PENDING' && endIsFixed);
  return mayExpire && expiresAt <= now ? 'EXPIRED' : status;
}

/** Whether a license is for a product: its project's label or id, compared byte for byte. */
export const isOfProduct = (
  license: Pick<License, 'product' | 'project'>,
  product: string,
): boolean => product === license.product || product === license.project;

/** A license with its project's product; its own is a copy for listing licenses. */
export const withProductOf = (license: License, { product }: Pick<License, 'product'>): License =>
  license.product === product ? license : { ...license, product };
