import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';

export const plansQuery = () =>
  infiniteQueryOptions({
    queryKey: ['plans'],
    queryFn: ({ pageParam: cursor, signal }) =>
      bodyOf(api.GET('/plans', { params: { query: { cursor, limit: 100 } }, signal })),
    ...byPages,
  });

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['plans', id],
    queryFn: ({ signal }) => bodyOf(api.GET('/plans/{id}', { params: { path: { id } }, signal })),
  });
