import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';

export const projectsQuery = (clientId: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', { clientId }],
    queryFn: ({ pageParam: cursor, signal }) =>
      bodyOf(api.GET('/projects', { params: { query: { cursor, clientId } }, signal })),
    ...byPages,
  });

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/projects/{id}', { params: { path: { id } }, signal })),
  });
