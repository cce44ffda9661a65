import { addDays, DAY_MS } from '../shared/time/days.js';
import type { License } from './license.js';
import { isPerpetual, type Term } from './term.js';

/** Days before the end of a term at which its owner gets a notice; 0 is the end itself. */
const DAYS_AHEAD = [30, 7, 1, 0];

/** The time of the first notice after another time; null where none is left, or the license has no end. */
export function nextNotice(
  license: Pick<Term & License, 'expiresAt' | 'duration' | 'days'>,
  after: Date,
): Date | null {
  if (isPerpetual(license)) return null;
  const notices = DAYS_AHEAD.map((days) => addDays(license.expiresAt, -days));
  return notices.find((notice) => notice > after) ?? null;
}

/** How many days before the end the next notice of a license is; 0 at the end. */
export const noticeDays = ({ expiresAt }: Pick<License, 'expiresAt'>, notice: Date): number =>
  Math.round((expiresAt.getTime() - notice.getTime()) / DAY_MS);
