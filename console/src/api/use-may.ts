import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from './client.js';
import { requiredRole } from './inputs.js';
import { bodyOf } from './public-client.js';
import type { Role } from './types.js';

/** An operation that takes a role. */
export type Operation = keyof typeof requiredRole;

/** Milliseconds for which the own role is not read again. */
const STALE = 30_000;

/** The login of this session, with its role. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => bodyOf(api.GET('/auth/me', { signal })),
  staleTime: STALE,
});

/** The roles, each with what those before it may do. */
const ROLES: readonly Role[] = ['viewer', 'support', 'admin', 'owner'];

/** Whether this login may call an operation; false until its role is known. */
export function useMay(): (operation: Operation) => boolean {
  const role = useQuery(accountQuery).data?.role;
  return useCallback(
    (operation) =>
      role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(requiredRole[operation]),
    [role],
  );
}
