import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { byPages } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';

export const templatesQuery = queryOptions({
  queryKey: ['mail-templates'],
  queryFn: ({ signal }) => bodyOf(api.GET('/mail-templates', { signal })),
});

/** The mail of the last 30 days, newest first. */
export const mailsQuery = infiniteQueryOptions({
  queryKey: ['mails'],
  queryFn: ({ pageParam: cursor, signal }) =>
    bodyOf(api.GET('/mails', { params: { query: { cursor } }, signal })),
  ...byPages,
});
