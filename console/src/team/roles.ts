import type { Role } from '../api/types.js';

/** The names of the roles. */
export const roles: Record<Role, string> = {
  viewer: 'Viewer',
  support: 'Support',
  admin: 'Admin',
  owner: 'Owner',
};
