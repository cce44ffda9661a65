import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import { endOf, startOf } from '../shared/days.js';
import type { EventFilter } from './event-filter.js';

/** The events of the account, newest first. */
export const accountEventsQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['events', { filter }],
    queryFn: ({ pageParam: cursor, signal }) => {
      const { type, from, to, ...rest } = filter;
      const query = {
        ...rest,
        cursor,
        ...(type && { type: [type] }),
        ...(from && { since: startOf(from) }),
        ...(to && { until: endOf(to) }),
      };
      return bodyOf(api.GET('/events', { params: { query }, signal }));
    },
    ...byPages,
    placeholderData: keepPreviousData,
  });
