import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import type { Event } from '../api/types.js';
import { endOf, startOf } from '../shared/days.js';
import type { EventFilter } from './event-filter.js';

/** The service returns short pages if few events match. They are joined up to this many events, or this many requests. */
const FEWEST = 20;
const MOST_REQUESTS = 10;

/** The API query for a filter. */
export const queryOf = ({ type, client, from, to, ...rest }: EventFilter) => ({
  ...rest,
  ...(client && { subject: client }),
  ...(type && { type: [type] }),
  ...(from && { since: startOf(from) }),
  ...(to && { until: endOf(to) }),
});

/** The events of the account, newest first. */
export const accountEventsQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['events', { filter }],
    queryFn: async ({ pageParam, signal }) => {
      const data: Event[] = [];
      let cursor = pageParam;
      for (let requests = 1; ; requests += 1) {
        const query = { ...queryOf(filter), cursor };
        const page = await bodyOf(api.GET('/events', { params: { query }, signal }));
        data.push(...page.data);
        const isEnough = data.length >= FEWEST || requests === MOST_REQUESTS;
        if (isEnough || page.nextCursor === null) return { data, nextCursor: page.nextCursor };
        cursor = page.nextCursor;
      }
    },
    ...byPages,
    placeholderData: keepPreviousData,
  });
