import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';

export const plansQuery = () => queryOf({});

/** The plans, each with its number of licenses. */
export const countedPlansQuery = () => queryOf({ licensesCount: true });

const queryOf = (counted: { licensesCount?: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['plans', counted],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...counted, cursor, limit: 100 };
      return bodyOf(api.GET('/plans', { params: { query }, signal }));
    },
    ...byPages,
  });

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['plans', id],
    queryFn: ({ signal }) => bodyOf(api.GET('/plans/{id}', { params: { path: { id } }, signal })),
  });
