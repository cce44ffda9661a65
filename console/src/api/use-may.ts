import { queryOptions } from '@tanstack/react-query';
import { createContext, use, useCallback } from 'react';
import { api } from './client.js';
import { requiredRole } from './inputs.js';
import { bodyOf } from './public-client.js';
import type { Role } from './types.js';

/** An operation that requires a role. */
export type Operation = keyof typeof requiredRole;

/** The user's role stays fresh for this many milliseconds. */
const STALE = 30_000;

/** The user of this session, with the role. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => bodyOf(api.GET('/auth/me', { signal })),
  staleTime: STALE,
});

/** The roles, in ascending order of rights. */
const ROLES: readonly Role[] = ['viewer', 'support', 'admin', 'owner'];

/** The user's role; undefined until it is known. Each row of a list needs it, so the layout provides it. */
export const OwnRole = createContext<Role | undefined>(undefined);

/** Whether the user may call an operation; false until the role is known. */
export function useMay(): (operation: Operation) => boolean {
  const role = use(OwnRole);
  return useCallback(
    (operation) =>
      role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(requiredRole[operation]),
    [role],
  );
}
