import { useInfiniteQuery } from '@tanstack/react-query';
import { rowsOf } from '../api/pages.js';
import { EventDetails } from '../events/event-details.js';
import { EventItem } from '../events/event-item.js';
import { Loaded } from '../shared/loaded.js';
import { ShowMore } from '../shared/show-more.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { eventsQuery } from './license-queries.js';
import { Timeline } from '../events/timeline.js';

/** The history of a license, newest first. */
export function LicenseEvents({ id }: { readonly id: string }) {
  const events = useInfiniteQuery(eventsQuery(id));
  return (
    <Panel label={texts.licenses.history}>
      <h2>{texts.licenses.history}</h2>
      <Loaded query={events}>
        {(pages) => (
          <Timeline>
            {rowsOf(pages).map((event) => (
              <EventItem key={event._id} event={event} details={<EventDetails event={event} />} />
            ))}
          </Timeline>
        )}
      </Loaded>
      <ShowMore query={events} />
    </Panel>
  );
}
