import { DomainError } from '../shared/errors/domain-error.js';
import { addDays, DAY_MS } from '../shared/time/calendar.js';
import { type License, statusOf } from './license.js';
import {
  extendedTerm,
  isPerpetual,
  isTooLong,
  newTerm,
  nextNotice,
  PERPETUAL,
  type Term,
  type TermLength,
} from './term.js';

/** Days in which the machines of a license may release themselves a number of times, and the highest such number. */
const RELEASE_DAYS = 30;
const MAX_RELEASES = 100;

/** A license after its first activation, with which its term begins; the same one if that was before. */
export function activated(license: License, now: Date): License {
  if (license.status !== 'PENDING') return license;
  const term = newTerm(now, license);
  const nextNoticeAt = nextNotice({ ...license, ...term }, now);
  const begun = { issuedAt: now, activatedAt: now, updatedAt: now };
  return { ...license, ...term, ...begun, nextNoticeAt, status: 'ACTIVE' };
}

/** A license after its revocation; the same one where it is REVOKED. */
export const revoked = (license: License, reason: string | null, now: Date): License =>
  license.status === 'REVOKED'
    ? license
    : { ...license, status: 'REVOKED', revokedAt: now, revokedReason: reason, updatedAt: now };

/**
 * A license that may not be used until it is resumed; the same one where it is SUSPENDED. Its term goes on.
 *
 * @throws DomainError LICENSE_ALREADY_REVOKED
 */
export function suspended(license: License, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status === 'SUSPENDED') return license;
  return { ...license, status: 'SUSPENDED', updatedAt: now };
}

/**
 * A license as it would be without its suspension; the same one where it is not SUSPENDED.
 *
 * @throws DomainError LICENSE_ALREADY_REVOKED
 */
export function resumed(license: License, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status !== 'SUSPENDED') return license;
  // Notices that became due meanwhile are left out, but for the end.
  const { nextNoticeAt, expiresAt } = license;
  const next = nextNoticeAt && (nextNotice(license, now) ?? expiresAt);
  return { ...withoutSuspension(license), nextNoticeAt: next, updatedAt: now };
}

const withoutSuspension = (license: License): License =>
  license.status === 'SUSPENDED'
    ? { ...license, status: license.activatedAt ? 'ACTIVE' : 'PENDING' }
    : license;

/**
 * A license after a replacement was issued for it. Its external id is the replacement's.
 *
 * @param keepsMachines whether its machines are the replacement's, too
 * @throws DomainError LICENSE_ALREADY_REVOKED, LICENSE_SUSPENDED
 */
export function reissued(license: License, keepsMachines: boolean, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (license.status === 'SUSPENDED') throw new DomainError('LICENSE_SUSPENDED');
  const machines = keepsMachines ? { seats: 0, seatsOf: null } : {};
  return { ...revoked(license, 'Reissued', now), externalId: null, ...machines };
}

/**
 * What the replacement of a license is issued for where the request does not say: what is left of the term, in whole days.
 *
 * @throws DomainError TERM_REQUIRED where nothing is left
 */
export function remainingTerm(license: License, now: Date): TermLength {
  if (isPerpetual(license)) return PERPETUAL;
  switch (statusOf(license, now)) {
    case 'PENDING':
      return { duration: license.duration, days: license.days };
    case 'ACTIVE':
      return {
        duration: null,
        days: Math.ceil((license.expiresAt.getTime() - now.getTime()) / DAY_MS),
      };
    case 'EXPIRED':
    case 'SUSPENDED':
    case 'REVOKED':
      throw new DomainError('TERM_REQUIRED');
  }
}

/**
 * A license after its renewal. The term of an ACTIVE license is extended, counted from its start; an EXPIRED license starts a new
 * term now. A SUSPENDED one is renewed as what it would be, and stays SUSPENDED.
 *
 * @throws DomainError LICENSE_NOT_ACTIVATED, LICENSE_ALREADY_REVOKED, LICENSE_IS_PERPETUAL; LICENSE_TERM_TOO_LONG beyond
 *   {@link MAX_TERM_DAYS}
 */
export function renewed(license: License, length: TermLength, now: Date): License {
  const status = statusOf(withoutSuspension(license), now);
  if (status === 'PENDING') throw new DomainError('LICENSE_NOT_ACTIVATED');
  if (status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  if (isPerpetual(license)) throw new DomainError('LICENSE_IS_PERPETUAL');
  const term: Term = status === 'EXPIRED' ? newTerm(now, length) : extendedTerm(license, length);
  if (isTooLong(term)) throw new DomainError('LICENSE_TERM_TOO_LONG');
  const after = { ...license, ...(isPerpetual(length) && PERPETUAL), ...term, updatedAt: now };
  return { ...after, nextNoticeAt: nextNotice(after, now) };
}

/**
 * A license after a machine without a lease has released itself. The times that count towards the limit are kept.
 *
 * @throws DomainError RELEASE_LIMIT_REACHED
 */
export function selfReleased(license: License, now: Date): License {
  const since = addDays(now, -RELEASE_DAYS).getTime();
  const counted = license.releasedAt.filter((time) => time > since);
  if (counted.length >= maxReleases(license)) throw new DomainError('RELEASE_LIMIT_REACHED');
  return { ...license, releasedAt: [...counted, now.getTime()], updatedAt: now };
}

/** The number of times that machines of a license may release themselves in 30 days. */
const maxReleases = ({ maxMachines }: License) =>
  Math.min(3 + Math.floor(maxMachines / 10), MAX_RELEASES);
