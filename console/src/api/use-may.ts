import { queryOptions } from '@tanstack/react-query';
import { createContext, use, useCallback } from 'react';
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

/** The role of this login; undefined until it is known. Each row of a list asks for it, so the layout reads it for all. */
export const OwnRole = createContext<Role | undefined>(undefined);

/** Whether this login may call an operation; false until its role is known. */
export function useMay(): (operation: Operation) => boolean {
  const role = use(OwnRole);
  return useCallback(
    (operation) =>
      role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(requiredRole[operation]),
    [role],
  );
}
