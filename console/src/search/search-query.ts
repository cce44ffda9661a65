import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';

export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.POST('/search', { body: { q }, signal }))).data,
    placeholderData: keepPreviousData,
    enabled: q !== '',
    // The search text may be a license key, so it is not cached.
    gcTime: 0,
  });

const LICENSE_KEY = /\b[A-Z0-9]{1,16}-[0-9A-F]{24}(-[A-Z0-9]{4}){3}\b/i;

/** The license key if the pasted text contains one, otherwise the text, up to its maximum length. */
export const searchOf = (text: string): string =>
  LICENSE_KEY.exec(text)?.[0] ?? text.trim().slice(0, inputs.search.q.maxLength);
