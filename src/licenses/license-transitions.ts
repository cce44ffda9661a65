import { DomainError } from '../shared/errors/domain-error.js';
import { latest } from '../machines/seat.js';
import { addDays, DAY_MS } from '../shared/time/calendar.js';
import {
  type License,
  type LicenseTerms,
  startsOnActivation,
  statusOf,
  withTerm,
  withUpdatesUntil,
} from './license.js';
import {
  extendedTerm,
  isEndless,
  isPerpetual,
  newTerm,
  nextNotice,
  nextUpdatesNotice,
  PERPETUAL,
  requireNearEnd,
  type TermLength,
} from './term.js';

/** The period, in days, in which a license's machines can release themselves a limited number of times. */
const RELEASE_DAYS = 30;
/** The limit for the largest licenses. */
const MAX_RELEASES = 100;

/**
 * A license after its first activation, which starts its term unless its expiry date is fixed; the same
 * object if it was already activated.
 */
export function activated(license: License, now: Date): License {
  if (license.status !== 'PENDING') return license;
  const { updatesDays } = license;
  const started = startsOnActivation(license)
    ? withTerm(license, newTerm(now, license), now)
    : license;
  const begun =
    updatesDays === null ? started : withUpdatesUntil(started, addDays(now, updatesDays), now);
  return { ...begun, status: 'ACTIVE', issuedAt: now, activatedAt: now, updatedAt: now };
}

/** Revokes a license; returns the same object if it is already REVOKED. */
export function revoked(license: License, reason: string | null, now: Date): License {
  if (license.status === 'REVOKED') return license;
  const revocation = { revokedAt: now, revokedReason: reason, suspendedReason: null };
  return { ...license, status: 'REVOKED', ...revocation, updatedAt: now };
}

/**
 * Suspends a license until it is resumed; returns the same object if it is already SUSPENDED. Its term
 * keeps running.
 */
export function suspended(license: License, reason: string | null, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status === 'SUSPENDED') return license;
  return { ...license, status: 'SUSPENDED', suspendedReason: reason, updatedAt: now };
}

/** A license without its suspension; the same object if it is not SUSPENDED. */
export function resumed(license: License, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status !== 'SUSPENDED') return license;
  // Notices that became due in the meantime are skipped, except the one for the expiry itself.
  const { nextNoticeAt, expiresAt, updatesUntil } = license;
  const next = {
    nextNoticeAt: nextNoticeAt && (nextNotice(license, now) ?? expiresAt),
    nextUpdatesNoticeAt: nextUpdatesNotice(updatesUntil, now),
  };
  return { ...withoutSuspension(license), ...next, updatedAt: now };
}

const withoutSuspension = (license: License): License =>
  license.status === 'SUSPENDED'
    ? { ...license, status: license.activatedAt ? 'ACTIVE' : 'PENDING', suspendedReason: null }
    : license;

/** Whether an event has reported that a license expired, even if it is SUSPENDED. */
export const isExpiryAnnounced = (license: License, now: Date): boolean =>
  license.nextNoticeAt === null && statusOf(withoutSuspension(license), now) === 'EXPIRED';

/**
 * A license after a replacement was issued for it. The replacement takes over its external id and import
 * reference.
 *
 * @param keepsMachines whether the replacement also takes over its machines
 */
export function reissued(license: License, keepsMachines: boolean, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status === 'SUSPENDED') throw new DomainError('LICENSE_SUSPENDED');
  const machines = keepsMachines ? { seats: 0, seatsOf: null } : {};
  return { ...revoked(license, 'Reissued', now), externalId: null, importedAs: null, ...machines };
}

/** The term of a new license: a length, or a fixed expiry date. */
type IssuedFor = Pick<LicenseTerms, 'duration' | 'days' | 'endIsFixed'>;

export const forLength = (length: TermLength): IssuedFor => ({ ...length, endIsFixed: false });

/**
 * The default term of a replacement: the same expiry date if it is fixed, otherwise the remaining whole
 * days.
 *
 * @throws DomainError TERM_REQUIRED if no days are left
 */
export function remainingTerm(license: License, now: Date): IssuedFor {
  const { duration, days, endIsFixed, expiresAt } = license;
  if (isPerpetual(license)) return forLength(PERPETUAL);
  switch (statusOf(license, now)) {
    case 'PENDING':
      return endIsFixed ? { ...PERPETUAL, endIsFixed } : forLength({ duration, days });
    case 'ACTIVE': {
      if (endIsFixed) return { ...PERPETUAL, endIsFixed };
      const left = Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS);
      return forLength({ duration: null, days: left });
    }
    case 'EXPIRED':
    case 'SUSPENDED':
    case 'REVOKED':
      throw new DomainError('TERM_REQUIRED');
  }
}

/** What a renewal adds: a term, days of updates, or both. */
export interface Renewal {
  readonly length?: TermLength | undefined;
  readonly updatesDays?: number | undefined;
}

/**
 * A license after its renewal.
 *
 * @throws DomainError LICENSE_ALREADY_REVOKED; LICENSE_NOT_ACTIVATED if the renewed term has not started; LICENSE_IS_PERPETUAL;
 * UPDATES_UNLIMITED; LICENSE_TERM_TOO_LONG
 */
export function renewed(license: License, { length, updatesDays }: Renewal, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  const renewal = length ? termRenewed(license, length, now) : license;
  const after = updatesDays ? updatesRenewed(renewal, updatesDays, now) : renewal;
  return { ...after, updatedAt: now };
}

/** Extends updates from when they end, or from now if they have ended. */
function updatesRenewed(license: License, days: number, now: Date): License {
  if (license.activatedAt === null) throw new DomainError('LICENSE_NOT_ACTIVATED');
  if (license.updatesUntil === null) throw new DomainError('UPDATES_UNLIMITED');
  const updatesUntil = addDays(latest(now, license.updatesUntil), days);
  requireNearEnd(updatesUntil, now);
  return withUpdatesUntil(license, updatesUntil, now);
}

/**
 * The term of an ACTIVE license is extended, counted from its start. An EXPIRED license starts a new term
 * now. A SUSPENDED license is renewed like any other and stays SUSPENDED. A license that was never
 * activated stays PENDING.
 */
function termRenewed(license: License, length: TermLength, now: Date): License {
  if (startsOnActivation(license)) throw new DomainError('LICENSE_NOT_ACTIVATED');
  if (isPerpetual(license)) throw new DomainError('LICENSE_IS_PERPETUAL');
  const isExpired = statusOf(withoutSuspension(license), now) === 'EXPIRED';
  const term = isExpired ? newTerm(now, length) : extendedTerm(license, length);
  if (!isPerpetual(term)) requireNearEnd(term.expiresAt, now);
  const endIsFixed = license.endIsFixed && !isEndless(length);
  return { ...withTerm(license, term, now), endIsFixed };
}

/**
 * A license after a machine without a lease has released itself. Stores the times that count towards the
 * limit.
 */
export function selfReleased(license: License, now: Date): License {
  const { left } = releasesLeft(license, maxReleases(license), now);
  if (left === 0) throw new DomainError('RELEASE_LIMIT_REACHED');
  return withRelease(license, now);
}

/** A license after a release that counts towards the limits. */
export const withRelease = (license: License, now: Date): License => ({
  ...license,
  releasedAt: [...countedReleases(license, now), now.getTime()],
  updatedAt: now,
});

/**
 * How many releases a license has left now and, if none, when the next one is possible; null if never.
 *
 * @param most maximum number of releases in 30 days
 */
export function releasesLeft(license: License, most: number, now: Date) {
  const counted = countedReleases(license, now);
  const left = Math.max(0, most - counted.length);
  const oldest = left > 0 || most === 0 ? undefined : counted[counted.length - most]!;
  const availableAt = oldest === undefined ? null : addDays(new Date(oldest), RELEASE_DAYS);
  return { left, availableAt };
}

const countedReleases = ({ releasedAt }: License, now: Date) => {
  const since = addDays(now, -RELEASE_DAYS).getTime();
  return releasedAt.filter((time) => time > since);
};

/** How often machines of a license can release themselves in 30 days. */
const maxReleases = ({ maxMachines }: License) =>
  Math.min(3 + Math.floor(maxMachines / 10), MAX_RELEASES);
