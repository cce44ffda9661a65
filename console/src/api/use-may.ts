import { queryOptions } from '@tanstack/react-query';
import { createContext, use, useCallback } from 'react';
import { api } from './client.js';
import { requiredRole } from './inputs.js';
import { bodyOf } from './public-client.js';
import type { Role } from './types.js';

/** An operation that requires a role. */
export type Operation = keyof typeof requiredRole;

/** Milliseconds until the user's role is read again. */
const STALE = 30_000;

/** The signed-in user and their role. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => bodyOf(api.GET('/auth/me', { signal })),
  staleTime: STALE,
});

/** The roles, from lowest to highest. */
const ROLES: readonly Role[] = ['viewer', 'support', 'admin', 'owner'];

/** The user's role; undefined until it is known. Every row of a list needs the role, so the layout provides it. */
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
