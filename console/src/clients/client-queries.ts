import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import type { ClientFilter } from './client-filter.js';

export const clientsQuery = (search: string | undefined) => queryOf({ ...(search && { search }) });

/** The clients with their license counts, and the total. */
export const countedClientsQuery = (filter: ClientFilter) =>
  queryOf({ ...filter, licensesCount: true, total: true });

const queryOf = (query: ClientFilter & { licensesCount?: boolean; total?: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['clients', query],
    queryFn: ({ pageParam: cursor, signal }) =>
      bodyOf(api.GET('/clients', { params: { query: { ...query, cursor } }, signal })),
    ...byPages,
    placeholderData: keepPreviousData,
  });

/** The client with exactly this email address, if there is one. */
export const clientByEmailQuery = (email: string) =>
  queryOptions({
    queryKey: ['clients', { email }],
    queryFn: async ({ signal }) => {
      const query = { email, limit: 1 };
      const { data } = await bodyOf(api.GET('/clients', { params: { query }, signal }));
      return data[0] ?? null;
    },
  });

export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: ['clients', id],
    queryFn: ({ signal }) => bodyOf(api.GET('/clients/{id}', { params: { path: { id } }, signal })),
  });
