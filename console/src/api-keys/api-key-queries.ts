import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';

/** The API keys of the account, newest first. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api-keys', { signal }))).data,
});
