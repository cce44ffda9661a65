import { DomainError } from '../shared/errors/domain-error.js';
import { type License, statusOf, type Term, termFrom } from './license.js';

/** Maximum term of a license in months, renewals included. */
export const MAX_TERM = 120;

/** A PENDING license after its first activation, with which its term begins. */
export const activated = (license: License, machineId: string, now: Date): License => ({
  ...license,
  ...termFrom(now, license.duration),
  status: 'ACTIVE',
  machineId,
  issuedAt: now,
  activatedAt: now,
  updatedAt: now,
});

/** A license after its revocation; the same one where it is REVOKED. */
export const revoked = (license: License, reason: string | null, now: Date): License =>
  license.status === 'REVOKED'
    ? license
    : { ...license, status: 'REVOKED', revokedAt: now, revokedReason: reason, updatedAt: now };

/**
 * A license after a replacement was issued for it.
 *
 * @throws DomainError LICENSE_ALREADY_REVOKED
 */
export function reissued(license: License, now: Date): License {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
  return revoked(license, 'Reissued', now);
}

/**
 * A license after its renewal. The term of an ACTIVE license is extended, counted from its start; an EXPIRED license starts a new
 * term now.
 *
 * @throws DomainError LICENSE_NOT_ACTIVATED, LICENSE_ALREADY_REVOKED; LICENSE_TERM_TOO_LONG beyond {@link MAX_TERM}
 */
export const renewed = (license: License, months: number, now: Date): License => ({
  ...license,
  ...renewedTerm(license, months, now),
  updatedAt: now,
});

function renewedTerm(license: License, months: number, now: Date): Term {
  switch (statusOf(license, now)) {
    case 'PENDING':
      throw new DomainError('LICENSE_NOT_ACTIVATED');
    case 'REVOKED':
      throw new DomainError('LICENSE_ALREADY_REVOKED');
    case 'EXPIRED':
      return termFrom(now, months);
    case 'ACTIVE':
      if (license.termMonths + months > MAX_TERM) throw new DomainError('LICENSE_TERM_TOO_LONG');
      return termFrom(license.termStart, license.termMonths + months);
  }
}

/** When the last term of a license ended; null if the license was never activated, or revoked before the end. */
export function endOfTerm(license: License, now: Date): Date | null {
  const { activatedAt, expiresAt, revokedAt } = license;
  return activatedAt && expiresAt <= (revokedAt ?? now) ? expiresAt : null;
}
