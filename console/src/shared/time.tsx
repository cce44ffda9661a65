const DATE_AND_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day in UTC, not moved by the reader's time zone. */
export const formatDay = (day: string): string => DAY.format(new Date(day));

/** A time in the reader's time zone. */
export const formatTime = (at: string): string => DATE_AND_TIME.format(new Date(at));

export const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at.slice(0, 10)}>{formatDay(at)}</time>
);

interface Props {
  /** ISO 8601. */
  readonly at: string;
  readonly withTime?: boolean;
}

/** A time in the reader's time zone, with UTC as the tooltip. */
export function Time({ at, withTime = true }: Props) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {(withTime ? DATE_AND_TIME : DATE).format(date)}
    </time>
  );
}
