/**
 * Adds whole months in UTC. A day that does not exist in the resulting month becomes that month's
 * last day: 31 January + 1 month is 28 or 29 February. The time of day stays the same.
 */
export function addMonths(start: Date, months: number): Date {
  const result = new Date(start);
  // Every month has a first day, so this cannot overflow into the next month.
  result.setUTCMonth(start.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0));
  result.setUTCDate(Math.min(start.getUTCDate(), lastDay.getUTCDate()));
  return result;
}

const HOUR_MS = 60 * 60 * 1000;

/** Milliseconds per day. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The same UTC time of day, a number of 24-hour days later. */
export const addDays = (time: Date, days: number): Date => new Date(time.getTime() + days * DAY_MS);

/** The start of the UTC day. */
export const startOfDay = (time: Date): Date =>
  new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** The start of the UTC hour. */
export const startOfHour = (time: Date): Date =>
  new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);

/** The UTC days (`2026-01-31`) between two times, both included. */
export function daysBetween(first: Date, last: Date): string[] {
  const length = Math.floor((last.getTime() - startOfDay(first).getTime()) / DAY_MS) + 1;
  return Array.from({ length }, (_, index) => addDays(first, index).toISOString().slice(0, 10));
}
