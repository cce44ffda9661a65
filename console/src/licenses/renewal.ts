import { addMonths } from '../../../src/licenses/add-months.js';
import type { License } from '../api/types.js';

/** Months after which no term began: licenses are renewed for years at most. */
const MOST_MONTHS = 1_200;

/**
 * The end of a license after its renewal, as the service counts it: a new term from now where it has expired; else its months are counted
 * from the beginning of the term, so that a term of months ends on the day of the month on which it began.
 */
export function endAfterRenewal(
  { status, activatedAt, expiresAt }: Pick<License, 'status' | 'activatedAt' | 'expiresAt'>,
  months: number,
  now: Date,
): Date | null {
  if (expiresAt === null) return null;
  const end = new Date(expiresAt);
  if (status === 'EXPIRED') return addMonths(now, months);
  const start = new Date(activatedAt ?? expiresAt);
  for (let past = 1; past <= MOST_MONTHS && addMonths(start, past) <= end; past += 1) {
    if (addMonths(start, past).getTime() === end.getTime()) return addMonths(start, past + months);
  }
  return addMonths(end, months);
}
