import { addDays, addMonths } from '../shared/time/calendar.js';

/** Minimum and maximum of a license's duration, in months. */
export const MIN_DURATION = 1;
export const MAX_DURATION = 12;

/** Maximum of a term in days of 24 hours, renewals included. */
export const MAX_TERM_DAYS = 3_660;

/** The stored end of a license without one: it comes after every other, and certificates have it as their `expiresAt`. */
export const NO_END = new Date('9999-12-31T23:59:59.999Z');

/** What a license is issued or renewed for: months, or days of 24 hours. It has no end where both are null. */
export interface TermLength {
  readonly duration: number | null;
  readonly days: number | null;
}

export const PERPETUAL: TermLength = { duration: null, days: null };

export const isPerpetual = ({ duration, days }: TermLength): boolean =>
  duration === null && days === null;

/** A term: its start, all its months, then all its days, and its end, which is derived from them. */
export interface Term {
  readonly termStart: Date;
  readonly termMonths: number;
  readonly termDays: number;
  readonly expiresAt: Date;
}

/** The term of this length that begins at a time. */
export const newTerm = (termStart: Date, { duration, days }: TermLength): Term =>
  termOf(termStart, duration ?? 0, days ?? 0, isPerpetual({ duration, days }));

/** A term with a further length added to it. */
export const extendedTerm = (
  { termStart, termMonths, termDays }: Term,
  { duration, days }: TermLength,
): Term =>
  termOf(
    termStart,
    termMonths + (duration ?? 0),
    termDays + (days ?? 0),
    isPerpetual({ duration, days }),
  );

export const isTooLong = ({ termStart, expiresAt }: Term): boolean =>
  expiresAt !== NO_END && expiresAt > addDays(termStart, MAX_TERM_DAYS);

function termOf(termStart: Date, termMonths: number, termDays: number, endless: boolean): Term {
  if (endless) return { termStart, termMonths: 0, termDays: 0, expiresAt: NO_END };
  const expiresAt = addDays(addMonths(termStart, termMonths), termDays);
  return { termStart, termMonths, termDays, expiresAt };
}

/** Days before the end of a term at which its owner gets a notice; 0 is the end itself. */
const NOTICE_DAYS = [30, 7, 1, 0];

/** The time of the first notice after another time; null where none is left, or the term has no end. */
export function nextNotice(term: Pick<Term, 'expiresAt'> & TermLength, after: Date): Date | null {
  if (isPerpetual(term)) return null;
  const notices = NOTICE_DAYS.map((days) => addDays(term.expiresAt, -days));
  return notices.find((notice) => notice > after) ?? null;
}
