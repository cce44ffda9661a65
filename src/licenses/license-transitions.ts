import {
  type License,
  type LicenseStatus,
  statusOf,
  type StoredStatus,
  type Term,
  termFrom,
} from './license.js';

/** Longest term of a license in months, renewals included. */
export const MAX_TERM = 120;

/** The whole life of a license, but for the passing of time that makes an ACTIVE one EXPIRED. */
export const TRANSITIONS = {
  activate: { from: ['PENDING'], to: 'ACTIVE' },
  renew: { from: ['ACTIVE', 'EXPIRED'], to: 'ACTIVE' },
  revoke: { from: ['PENDING', 'ACTIVE', 'EXPIRED'], to: 'REVOKED' },
  reissue: { from: ['PENDING', 'ACTIVE', 'EXPIRED'], to: 'REVOKED' },
} as const satisfies Record<string, { from: readonly LicenseStatus[]; to: StoredStatus }>;

export type Transition = keyof typeof TRANSITIONS;

export function can(transition: Transition, license: License, now: Date): boolean {
  const from: readonly LicenseStatus[] = TRANSITIONS[transition].from;
  return from.includes(statusOf(license, now));
}

/** The stored statuses of licenses to which a transition may happen: the condition of its statement. */
export function storedStatusesBefore(transition: Transition): StoredStatus[] {
  const from = TRANSITIONS[transition].from.map((status) =>
    status === 'EXPIRED' ? 'ACTIVE' : status,
  );
  return [...new Set(from)];
}

/**
 * The term of a license that is renewed: an ACTIVE one goes on, reckoned from the start of its term, and
 * an EXPIRED one begins a new term now.
 *
 * @returns null where the term would be too long
 */
export function renewedTerm(license: License, months: number, now: Date): Term | null {
  if (statusOf(license, now) === 'EXPIRED') return termFrom(now, months);
  const total = license.termMonths + months;
  return total > MAX_TERM ? null : termFrom(license.termStart, total);
}

/** When the last term of a license ended, if it has: by now, or before it was revoked. */
export function endOfTerm(license: License, now: Date): Date | null {
  const { activatedAt, expiresAt, revokedAt } = license;
  return activatedAt && expiresAt <= (revokedAt ?? now) ? expiresAt : null;
}
