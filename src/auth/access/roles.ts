/** The roles of an account, each with what those before it may do. */
export const ROLES = ['viewer', 'support', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that a member can be given; an account has one owner. */
export const MEMBER_ROLES = ['viewer', 'support', 'admin'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export const isAtLeast = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);
