import { addDays, addMonths, DAY_MS } from '../../../src/shared/time/calendar.js';
import type { License } from '../api/types.js';

/** No term is longer than this many months. */
const MOST_MONTHS = 1_200;

/** Days left until a time, rounded up. */
export const daysUntil = (end: string): number =>
  Math.max(0, Math.ceil((Date.parse(end) - Date.now()) / DAY_MS));

/** Whether a renewal starts a new term. */
export const hasEnded = (
  { status, expiresAt }: Pick<License, 'status' | 'expiresAt'>,
  now: Date,
): boolean =>
  status === 'EXPIRED' ||
  (status === 'SUSPENDED' && expiresAt !== null && new Date(expiresAt) <= now);

/**
 * The expiry date after a renewal, calculated as the service does. An expired license starts a new term now. Otherwise months
 * count from the start of the term, so a term expires on the day of the month on which it started; days are added last.
 */
export function endAfterRenewal(
  license: Pick<License, 'status' | 'activatedAt' | 'expiresAt' | 'days' | 'endIsFixed'>,
  months: number,
  now: Date,
): Date | null {
  const { activatedAt, expiresAt, days, endIsFixed } = license;
  if (expiresAt === null) return null;
  if (hasEnded(license, now)) return addMonths(now, months);
  const end = new Date(expiresAt);
  if (endIsFixed) return addMonths(end, months);
  const start = new Date(activatedAt ?? expiresAt);
  const endOf = (all: number) => addDays(addMonths(start, all), days ?? 0);
  for (let past = 0; past <= MOST_MONTHS && endOf(past) <= end; past += 1) {
    if (endOf(past).getTime() === end.getTime()) return endOf(past + months);
  }
  return addMonths(end, months);
}
