import type { EventType } from '../api/types.js';
import { events } from './event-texts.js';

/** The texts of the page that lists events. */
export const eventList = {
  details: 'Everything that has changed something in this account, the newest first.',
  type: 'Type',
  any: 'Any',
  /** The name of a type beside those of all kinds. */
  full: (type: EventType) =>
    type.startsWith('license.') ? `License ${events[type].toLowerCase()}` : events[type],
  allOf: (kind: string) => `All: ${kind}`,
  at: 'When',
  event: 'Event',
  subject: 'What',
  actor: 'Who',
  data: 'Details',
  filtered: { subject: 'Of one record alone.', actor: 'By one person or program alone.' },
  none: 'No event matches',
  noneSoFar: 'No event matches among those that were read so far',
};
