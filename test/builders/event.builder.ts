import { type Event, type EventType, newEvent } from '../../src/events/event.js';
import type { License } from '../../src/licenses/license.js';
import { at } from './time.js';

/** Something that happened to a license two minutes after the start, unless said otherwise. */
export function anEvent(
  { _id, user: accountId }: Pick<License, '_id' | 'user'>,
  type: EventType,
  fields: Partial<Event> = {},
): Event {
  return { ...newEvent(type, { accountId, _id, name: '•••• 93KD' }, at(2)), ...fields };
}
