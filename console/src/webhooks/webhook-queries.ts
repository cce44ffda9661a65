import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages, rowsOf } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import { pollEvery } from '../api/query-client.js';
import type { Delivery, Webhook } from '../api/types.js';

/** Milliseconds between refetches while deliveries are retried, and while one is new, which takes less than a second. */
const POLL_RETRIED = 5000;
export const POLL_NEW = 1000;

/** Whether the first attempt is still pending, or the next one after the delivery was sent again. */
export const isNew = ({ status, attempts }: Delivery) => status === 'pending' && attempts === 0;

/** How often to refetch these deliveries. */
export function pollOf(rows: readonly Delivery[]): number | false {
  if (rows.some(isNew)) return pollEvery(POLL_NEW);
  return pollEvery(rows.some(({ status }) => status === 'pending') && POLL_RETRIED);
}

/** Whether deliveries fail and are retried. */
export const isFailing = ({ status, failingSince }: Webhook): boolean =>
  status === 'enabled' && failingSince !== null;

/** The webhooks of the account, newest first. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/webhooks', { signal }))).data,
  refetchInterval: ({ state: { data } }) => pollEvery((data ?? []).some(isFailing) && POLL_RETRIED),
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/webhooks/{id}', { params: { path: { id } }, signal })),
  });

/** The deliveries of a webhook, optionally in one status, newest first. */
export const deliveriesQuery = (id: string, status: Delivery['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', { status }],
    queryFn: ({ pageParam: cursor, signal }) => {
      const params = { path: { id }, query: { cursor, status } };
      return bodyOf(api.GET('/webhooks/{id}/deliveries', { params, signal }));
    },
    ...byPages,
    refetchInterval: ({ state: { data } }) => pollOf(data ? rowsOf(data) : []),
  });
