import { queryOptions } from '@tanstack/react-query';
import { addDays } from '../../../src/shared/time/calendar.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { pollEvery } from '../api/query-client.js';
import { withoutKey } from '../api/types.js';

/** Days in the chart. The same number of days before them are counted for comparison. */
export const DAYS = 30;

/** The number of expiring licenses on the overview. */
const EXPIRING = 10;

/** The number of events on the overview. */
const EVENTS = 8;

/** Refetches an open overview after this many milliseconds. */
export const POLLING = { refetchInterval: () => pollEvery(30_000) };

export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/dashboard/summary', { params: { query: { days: 2 * DAYS } }, signal })),
  ...POLLING,
});

/** The active licenses that expire within 30 days, soonest first. */
export const expiringQuery = queryOptions({
  queryKey: ['licenses', 'expiring'],
  queryFn: async ({ signal }) => {
    const { data } = await bodyOf(
      api.GET('/licenses', {
        params: {
          query: {
            status: ['ACTIVE'],
            expiresBefore: addDays(new Date(), 30).toISOString(),
            sort: 'expiresAt',
            order: 'asc',
            limit: EXPIRING,
          },
        },
        signal,
      }),
    );
    return data.map(withoutKey);
  },
  ...POLLING,
});

/** The latest events of the account. */
export const latestEventsQuery = queryOptions({
  queryKey: ['events'],
  queryFn: async ({ signal }) => {
    const params = { query: { limit: EVENTS } };
    const { data } = await bodyOf(api.GET('/events', { params, signal }));
    return data;
  },
  ...POLLING,
});
