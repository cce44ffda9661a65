import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Factors } from '../api/types.js';

/** The second factors of the user. */
export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: ({ signal }) => bodyOf(api.GET('/auth/factors', { signal })),
});

/** The second factors that can confirm a change; empty if the password is enough. */
export const stepUpFactorsOf = ({ passkeys, totp }: Factors): string[] => [
  ...(passkeys.length > 0 ? ['passkey'] : []),
  ...(totp.enabled ? ['totp'] : []),
];

/** Whether the account requires a second factor of every member. */
export const policyQuery = queryOptions({
  queryKey: ['policy'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/policy', { signal })),
});

/** The sessions of this user, most recently used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/auth/sessions', { signal }))).data,
});
