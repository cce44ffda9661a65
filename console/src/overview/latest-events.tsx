import { useQuery } from '@tanstack/react-query';
import { EventItem } from '../events/event-item.js';
import { EventSubject, isAboutActor } from '../events/event-subject.js';
import { Loaded } from '../shared/loaded.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { latestEventsQuery } from './overview-queries.js';
import { Timeline } from '../events/timeline.js';

export function LatestEvents() {
  const events = useQuery(latestEventsQuery);
  const { events: title, noEvents } = texts.overview;
  return (
    <Panel label={title}>
      <h2>{title}</h2>
      <Loaded query={events}>
        {(list) =>
          list.length === 0 ? (
            <Muted>{noEvents}</Muted>
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
    </Panel>
  );
}
