import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import type { Delivery } from '../api/types.js';

/** The webhooks of the account, newest first. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/webhooks', { signal }))).data,
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
  });
