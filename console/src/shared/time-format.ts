const DATE_AND_TIME = formatOf({ dateStyle: 'medium', timeStyle: 'short' });
const DATE = formatOf({ dateStyle: 'medium' });
const DAY = formatOf({ dateStyle: 'medium', timeZone: 'UTC' });

/** Day first and three-letter months: British English abbreviates September to four letters. */
function formatOf(options: Intl.DateTimeFormatOptions): (at: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', options);
  return (at) => format.format(new Date(at)).replace('Sept', 'Sep');
}

/** @param day YYYY-MM-DD, in UTC */
export const formatDay = (day: string): string => DAY(day);

/** A time in the reader's time zone. */
export const formatTime = (at: string): string => DATE_AND_TIME(at);

/** The date of a time in the reader's time zone. */
export const formatDate = (at: string): string => DATE(at);

/** The same time in UTC. */
export const inUtc = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
/** In seconds. */
export const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY_LENGTH = 24 * HOUR;

/** A relative time such as "2 hours ago"; the date if it is more than a week away. */
export function distanceOf(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  const distance = Math.abs(seconds);
  if (distance < MINUTE) return RELATIVE.format(0, 'second');
  if (distance < HOUR) return RELATIVE.format(Math.trunc(seconds / MINUTE), 'minute');
  if (distance < DAY_LENGTH) return RELATIVE.format(Math.trunc(seconds / HOUR), 'hour');
  if (distance < 7 * DAY_LENGTH) return RELATIVE.format(Math.trunc(seconds / DAY_LENGTH), 'day');
  return DATE(at);
}
