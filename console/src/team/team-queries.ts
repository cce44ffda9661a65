import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';

/** The members and invitations of the account. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/members', { signal }))).data,
});
