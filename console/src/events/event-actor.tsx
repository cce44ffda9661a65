import { Link } from '@tanstack/react-router';
import type { Event } from '../api/types.js';
import { texts } from '../texts.js';
import { causes } from './event-texts.js';

const { events: names } = texts;

/** Who caused an event. Members and API keys link to all their events. */
export function EventActor({ event: { type, actor } }: { readonly event: Event }) {
  switch (actor.type) {
    case 'user':
    case 'api_key': {
      const name = actor.name ?? names.byYou;
      if (actor.id === null) return name;
      return (
        <Link to="/events" search={{ actor: actor.id }}>
          {name}
        </Link>
      );
    }
    case 'machine':
      return actor.name ?? names.byApp;
    case 'client':
      return names.byCustomer;
    case 'system':
      return causes[type] ?? names.byTime;
  }
}
