import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';

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

/** The deliveries of a webhook, newest first. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ pageParam: cursor, signal }) => {
      const params = { path: { id }, query: { cursor } };
      return bodyOf(api.GET('/webhooks/{id}/deliveries', { params, signal }));
    },
    ...byPages,
  });
