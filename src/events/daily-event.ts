import { createHash } from 'node:crypto';
import { type Change, insert, replace } from '../storage/changes.js';
import type { Store } from '../storage/store.js';
import { type Event, EVENTS } from './event.js';

/**
 * The change that stores an event which callers can repeat endlessly, as one event a day (UTC) with a
 * count.
 *
 * @param distinction separates it from others of the same type, subject and day
 */
export const recordDaily = (store: Store, event: Event, distinction: string): Promise<Change> =>
  storeDaily(store, withDailyId(event, distinction));

/** The change that stores an event with a daily id, or adds it to the stored one. */
export async function storeDaily(store: Store, daily: Event): Promise<Change> {
  const before = await store.find(EVENTS, { _id: daily._id });
  return before ? replace(EVENTS, before, withOccurrence(before, daily)) : insert(EVENTS, daily);
}

/** An event whose id is derived from its type, subject, distinction and day. */
export const withDailyId = (event: Event, distinction: string): Event => ({
  ...event,
  _id: dailyIdOf(event, distinction),
});

/** An object id shared by all events of a type, subject, distinction and day (UTC). */
export function dailyIdOf({ type, subject, at }: Event, distinction: string): string {
  const parts = [type, subject, distinction, at.toISOString().slice(0, 10)];
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 24);
}

/** A daily event, after it has occurred again. */
export function withOccurrence(stored: Event, again: Event): Event {
  const latest = again.lastAt ?? again.at;
  return {
    ...again,
    _id: stored._id,
    version: stored.version,
    at: stored.at,
    storedAt: stored.storedAt,
    lastAt: stored.lastAt && stored.lastAt > latest ? stored.lastAt : latest,
    count: stored.count + again.count,
  };
}
