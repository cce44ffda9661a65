import {
  type License,
  type LicenseStatus,
  statusOf,
  type StoredStatus,
  type Term,
  termFrom,
} from './license.js';

/** Maximum term of a license in months, renewals included. */
export const MAX_TERM = 120;

/** The life cycle of a license, except that an ACTIVE one becomes EXPIRED by time alone. */
export const TRANSITIONS = {
  activate: { from: ['PENDING'], to: 'ACTIVE' },
  /** Issuing a certificate for a machine without a network. */
  certify: { from: ['ACTIVE'], to: 'ACTIVE' },
  renew: { from: ['ACTIVE', 'EXPIRED'], to: 'ACTIVE' },
  revoke: { from: ['PENDING', 'ACTIVE', 'EXPIRED'], to: 'REVOKED' },
  reissue: { from: ['PENDING', 'ACTIVE', 'EXPIRED'], to: 'REVOKED' },
} as const satisfies Record<string, { from: readonly LicenseStatus[]; to: StoredStatus }>;

export type Transition = keyof typeof TRANSITIONS;

export function can(transition: Transition, license: License, now: Date): boolean {
  const from: readonly LicenseStatus[] = TRANSITIONS[transition].from;
  return from.includes(statusOf(license, now));
}

/** The stored statuses from which a transition is allowed: the condition of its statement. */
export function storedStatusesBefore(transition: Transition): StoredStatus[] {
  const from = TRANSITIONS[transition].from.map((status) =>
    status === 'EXPIRED' ? 'ACTIVE' : status,
  );
  return [...new Set(from)];
}

/**
 * The term of a license after its renewal. The term of an ACTIVE license is extended, counted from its
 * start; an EXPIRED license starts a new term now.
 *
 * @returns null where the term would exceed {@link MAX_TERM}
 */
export function renewedTerm(license: License, months: number, now: Date): Term | null {
  if (statusOf(license, now) === 'EXPIRED') return termFrom(now, months);
  const total = license.termMonths + months;
  return total > MAX_TERM ? null : termFrom(license.termStart, total);
}

/** When the last term of a license ended; null if the license was never activated, or revoked before the end. */
export function endOfTerm(license: License, now: Date): Date | null {
  const { activatedAt, expiresAt, revokedAt } = license;
  return activatedAt && expiresAt <= (revokedAt ?? now) ? expiresAt : null;
}
