import * as inputs from '../api/inputs.js';
import type { EventKind, EventType } from '../api/types.js';
import { isDay } from '../shared/days.js';
import { events, kinds } from './event-texts.js';

/** A type of events, or all of a kind. */
export type EventTypeFilter = EventType | `${EventKind}.*`;

/** The filters of the event list, as stored in the URL. At most one of `client`, `subject` and `actor` is set. */
export interface EventFilter {
  readonly type?: EventTypeFilter;
  /** The id of a customer. */
  readonly client?: string;
  /** The id of any record. */
  readonly subject?: string;
  /** The id of a member, an API key or a machine. */
  readonly actor?: string;
  /** Days, such as 2026-12-31, both included. */
  readonly from?: string;
  readonly to?: string;
}

const ID = new RegExp(inputs.listEvents.subject.pattern);
const { maxLength } = inputs.listEvents.actor;

/** Reads the filters from a URL and drops invalid ones. */
export function toEventFilter(search: Record<string, unknown>): EventFilter {
  const { type, from, to } = search;
  return {
    ...(isType(type) && { type }),
    ...about(search),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

function about({ client, subject, actor }: Record<string, unknown>) {
  if (isId(client)) return { client };
  if (isId(subject)) return { subject };
  return isActor(actor) ? { actor } : {};
}

const isType = (value: unknown): value is EventTypeFilter =>
  typeof value === 'string' &&
  (Object.hasOwn(events, value) ||
    (value.endsWith('.*') && Object.hasOwn(kinds, value.slice(0, -2))));

const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

const isActor = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxLength;
