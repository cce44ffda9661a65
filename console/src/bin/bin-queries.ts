import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';

export const binQuery = (search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['bin', { search }],
    queryFn: ({ pageParam: cursor, signal }) =>
      bodyOf(api.GET('/bin', { params: { query: { cursor, search } }, signal })),
    ...byPages,
    placeholderData: keepPreviousData,
  });

export const restore = (id: string, key: string) =>
  bodyOf(
    api.POST('/bin/{id}/restore', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
    }),
  );
