import { DomainError } from '../shared/errors/domain-error.js';
import { addDays, addMonths } from '../shared/time/calendar.js';

/** Minimum and maximum of a license's duration, in months. */
export const MIN_DURATION = 1;
export const MAX_DURATION = 12;

/** Days of 24 hours from now to the latest possible expiry of a license. */
export const MAX_TERM_DAYS = 3_660;

/** The stored expiry date of a perpetual license: later than any other, and the `expiresAt` in its certificates. */
export const NO_END = new Date('9999-12-31T23:59:59.999Z');

/** The length of a new or added term: months, or days of 24 hours; perpetual if both are null. */
export interface TermLength {
  readonly duration: number | null;
  readonly days: number | null;
}

/** The fields that a request can send if it has neither `expiresAt` nor `plan`. */
export const LENGTH_CHOICES = 'Send one of duration (1 to 12 months), days or perpetual.';

export const PERPETUAL: TermLength = { duration: null, days: null };

export const isEndless = ({ duration, days }: TermLength): boolean =>
  duration === null && days === null;

/** A term: its start, all its months, then all its days, and the derived end. */
export interface Term {
  readonly termStart: Date;
  readonly termMonths: number;
  readonly termDays: number;
  readonly expiresAt: Date;
}

export const isPerpetual = ({ expiresAt }: Pick<Term, 'expiresAt'>): boolean =>
  expiresAt.getTime() === NO_END.getTime();

/** The term of this length from a start time. */
export const newTerm = (termStart: Date, { duration, days }: TermLength): Term =>
  termOf(termStart, duration ?? 0, days ?? 0, isEndless({ duration, days }));

/** A term with a fixed end, which renewals extend. */
export const termUntil = (end: Date): Term => termOf(end, 0, 0, false);

/** A term extended by a length. */
export const extendedTerm = (
  { termStart, termMonths, termDays }: Term,
  { duration, days }: TermLength,
): Term =>
  termOf(
    termStart,
    termMonths + (duration ?? 0),
    termDays + (days ?? 0),
    isEndless({ duration, days }),
  );

/** @throws DomainError LICENSE_TERM_TOO_LONG if an end is more than {@link MAX_TERM_DAYS} from now */
export function requireNearEnd(end: Date, now: Date): void {
  if (end > addDays(now, MAX_TERM_DAYS)) throw new DomainError('LICENSE_TERM_TOO_LONG');
}

function termOf(termStart: Date, termMonths: number, termDays: number, endless: boolean): Term {
  if (endless) return { termStart, termMonths: 0, termDays: 0, expiresAt: NO_END };
  const expiresAt = addDays(addMonths(termStart, termMonths), termDays);
  return { termStart, termMonths, termDays, expiresAt };
}

/** Days before the end of a term or of updates at which the owner gets a notice; 0 is the end itself. */
const NOTICE_DAYS = [30, 7, 1, 0];
const UPDATES_NOTICE_DAYS = [30, 7, 1];

/** The time of the next notice after a given time; null if none is left, or the license is perpetual. */
export function nextNotice(term: Pick<Term, 'expiresAt'>, after: Date): Date | null {
  return isPerpetual(term) ? null : nextOf(NOTICE_DAYS, term.expiresAt, after);
}

/** The same for the end of updates; null if they are unlimited. */
export const nextUpdatesNotice = (updatesUntil: Date | null, after: Date): Date | null =>
  updatesUntil && nextOf(UPDATES_NOTICE_DAYS, updatesUntil, after);

const nextOf = (days: readonly number[], end: Date, after: Date): Date | null =>
  days.map((count) => addDays(end, -count)).find((notice) => notice > after) ?? null;
