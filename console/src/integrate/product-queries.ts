import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';

/** All projects of the account, in the largest pages. */
export const allProjectsQuery = infiniteQueryOptions({
  queryKey: ['projects', 'all'],
  queryFn: ({ pageParam: cursor, signal }) => {
    const query = { cursor, limit: inputs.listProjects.limit.max };
    return bodyOf(api.GET('/projects', { params: { query }, signal }));
  },
  ...byPages,
});
