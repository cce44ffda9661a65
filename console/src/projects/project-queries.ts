import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import type { LicenseStatus } from '../api/types.js';

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

/** The number of licenses in a project: total, active and suspended. */
export const licenseCountsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'licenses'],
    queryFn: async ({ signal }) => {
      const count = async (status?: LicenseStatus) => {
        const query = { projectId, ...(status && { status: [status] }), limit: 1, total: true };
        const { total } = await bodyOf(api.GET('/licenses', { params: { query }, signal }));
        return total ?? 0;
      };
      const [all, ACTIVE, SUSPENDED] = await Promise.all([
        count(),
        count('ACTIVE'),
        count('SUSPENDED'),
      ]);
      return { all, ACTIVE, SUSPENDED };
    },
  });
