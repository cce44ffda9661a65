import { useQuery } from '@tanstack/react-query';
import { EventItem } from '../events/event-item.js';
import { EventSubject, isAboutActor } from '../events/event-subject.js';
import { Loaded } from '../shared/loaded.js';
import { texts } from '../texts.js';
import { latestEventsQuery } from './overview-queries.js';
import { Timeline } from '../events/timeline.js';

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
            <Timeline>
              {list.map((event) => (
                <EventItem key={event._id} event={event}>
                  {!isAboutActor(event) && (
                    <p>
                      <EventSubject event={event} />
                    </p>
                  )}
                </EventItem>
              ))}
            </Timeline>
          )
        }
      </Loaded>
    </section>
  );
}
