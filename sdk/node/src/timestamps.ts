import { isText } from './json.js';

/** A time as the service writes it: ISO 8601 in UTC with milliseconds, in the years 0001 to 9999. */
export function parseTimestamp(value: unknown): Date | undefined {
  const isCandidate = isText(value) && value.length === 24 && !value.startsWith('0000');
  const time = new Date(isCandidate ? value : NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value ? time : undefined;
}

/** The start of a day in UTC, written as `YYYY-MM-DD`. */
export function parseDay(value: unknown): Date | undefined {
  return isText(value) ? parseTimestamp(`${value}T00:00:00.000Z`) : undefined;
}
