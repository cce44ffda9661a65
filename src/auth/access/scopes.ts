/** What an API key may do. A scope to write does not include the one to read. */
export const SCOPES = [
  'clients:read',
  'clients:write',
  'projects:read',
  'projects:write',
  'licenses:read',
  'licenses:write',
  'licenses:revoke',
  'certificates:write',
  'plans:read',
  'plans:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'dashboard:read',
] as const;
export type Scope = (typeof SCOPES)[number];
