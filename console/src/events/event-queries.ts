import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import { endOf, startOf } from '../shared/days.js';
import type { EventFilter } from './event-filter.js';

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
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...queryOf(filter), cursor };
      return bodyOf(api.GET('/events', { params: { query }, signal }));
    },
    ...byPages,
    placeholderData: keepPreviousData,
  });
