import { addDays, addMonths, DAY_MS } from '../../../src/shared/time/calendar.js';
import type { License } from '../api/types.js';

/** Months after which no term began: licenses are renewed for years at most. */
const MOST_MONTHS = 1_200;

/** Days that are left until an end, rounded up. */
export const daysUntil = (end: string): number =>
  Math.max(0, Math.ceil((Date.parse(end) - Date.now()) / DAY_MS));

/** Whether a renewal begins a new term. */
export const hasEnded = (
  { status, expiresAt }: Pick<License, 'status' | 'expiresAt'>,
  now: Date,
): boolean =>
  status === 'EXPIRED' ||
  (status === 'SUSPENDED' && expiresAt !== null && new Date(expiresAt) <= now);

/**
 * The end of a license after its renewal, as the service counts it: a new term from now where it has ended; else its months are counted
 * from the beginning of the term, so that a term of months ends on the day of the month on which it began, and its days after them.
 */
export function endAfterRenewal(
  license: Pick<License, 'status' | 'activatedAt' | 'expiresAt' | 'days'>,
  months: number,
  now: Date,
): Date | null {
  const { activatedAt, expiresAt, days } = license;
  if (expiresAt === null) return null;
  if (hasEnded(license, now)) return addMonths(now, months);
  const end = new Date(expiresAt);
  const start = new Date(activatedAt ?? expiresAt);
  const endOf = (all: number) => addDays(addMonths(start, all), days ?? 0);
  for (let past = 0; past <= MOST_MONTHS && endOf(past) <= end; past += 1) {
    if (endOf(past).getTime() === end.getTime()) return endOf(past + months);
  }
  return addMonths(end, months);
}
