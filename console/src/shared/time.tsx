import { useSyncExternalStore } from 'react';
import { distanceOf, formatDate, formatDay, formatTime, inUtc, MINUTE } from './time-format.js';

export const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at.slice(0, 10)}>{formatDay(at)}</time>
);

interface Props {
  /** ISO 8601. */
  readonly at: string;
  readonly withTime?: boolean;
}

/** A time in the reader's time zone, with UTC as the tooltip. */
export const Time = ({ at, withTime = true }: Props) => (
  <time dateTime={at} title={inUtc(at)}>
    {(withTime ? formatTime : formatDate)(at)}
  </time>
);

function eachMinute(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE * 1_000);
  return () => clearInterval(timer);
}

/** A relative time, with the exact time as the tooltip. */
export function Ago({ at }: { readonly at: string }) {
  // Rerenders every minute.
  useSyncExternalStore(eachMinute, () => Math.trunc(Date.now() / (MINUTE * 1_000)));
  return (
    <time dateTime={at} title={`${formatTime(at)} (${inUtc(at)})`}>
      {distanceOf(at, Date.now())}
    </time>
  );
}
