import { createHash } from 'node:crypto';
import { type Change, insert, replace } from '../storage/changes.js';
import type { Store } from '../storage/store.js';
import { type Event, EVENTS } from './event.js';

/**
 * The change that stores an event which callers can repeat without end: it is one a day (UTC), with a count.
 *
 * @param distinction what tells it from others of its type, subject and day
 */
export async function recordDaily(
  store: Store,
  event: Event,
  distinction: string,
): Promise<Change> {
  const daily = withDailyId(event, distinction);
  const before = await store.find(EVENTS, { _id: daily._id });
  return before ? replace(EVENTS, before, countedAgain(before, event)) : insert(EVENTS, daily);
}

/** An event with the id that all of its type, subject, distinction and day have. */
export function withDailyId(event: Event, distinction: string): Event {
  const day = event.at.toISOString().slice(0, 10);
  return { ...event, _id: derivedId(event.type, event.subject, distinction, day) };
}

/** A stored event of a day after it has happened again. */
function countedAgain(stored: Event, again: Event): Event {
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

/** A deterministic object id of the parts. */
const derivedId = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 24);
