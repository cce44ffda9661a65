import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Event } from '../api/types.js';
import { EventItem } from '../events/event-item.js';
import { Loaded } from '../shared/loaded.js';
import { texts } from '../texts.js';
import { latestEventsQuery } from './overview-queries.js';

export function LatestEvents() {
  const events = useQuery(latestEventsQuery);
  const { events: title, noEvents } = texts.overview;
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      <Loaded query={events}>
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{noEvents}</p>
          ) : (
            <ol className="timeline">
              {list.map((event) => (
                <EventItem key={event._id} event={event}>
                  <p>
                    <Subject event={event} />
                  </p>
                </EventItem>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  );
}

/** What an event is about; a link where it has a page, unless it was deleted. */
function Subject({ event: { type, subject } }: { readonly event: Event }) {
  const name = subject.name ?? subject.id;
  if (type.endsWith('.deleted')) return name;
  switch (subject.type) {
    case 'license':
      return (
        <Link to="/licenses/$id" params={{ id: subject.id }}>
          {name}
        </Link>
      );
    case 'client':
      return (
        <Link to="/clients/$id" params={{ id: subject.id }}>
          {name}
        </Link>
      );
    default:
      return name;
  }
}
