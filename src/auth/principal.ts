import type { FastifyRequest } from 'fastify';
import type { AccountId } from '../shared/ids.js';
import type { Role, Scope } from './access/operations.js';

/** A member of an account, in one of its sessions. */
export interface UserPrincipal {
  readonly accountId: AccountId;
  readonly type: 'user';
  /** The id of the login. */
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The session's id (claim `sid`). */
  readonly session: string;
}

/** A program with an API key. */
export interface ApiKeyPrincipal {
  readonly accountId: AccountId;
  readonly type: 'api_key';
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** Who sends an authenticated request. */
export type Principal = UserPrincipal | ApiKeyPrincipal;

/** The caller of a verified access token, whose session has not been looked up. */
export type SessionCaller = Omit<UserPrincipal, 'name' | 'role'>;

export type Credentials = SessionCaller | ApiKeyPrincipal;

/** `user` is undefined if the route is public. */
export type AuthenticatedRequest = FastifyRequest & { user?: Credentials | Principal };

/** Whether a caller has a scope; members are limited by their roles alone. */
export const hasScope = (principal: Principal, scope: Scope): boolean =>
  principal.type === 'user' || principal.scopes.includes(scope);

/** Whether license keys are shown to a caller in full. */
export const seesLicenseKeys = (principal: Principal | undefined): boolean =>
  principal?.type === 'user'
    ? principal.role !== 'viewer'
    : principal !== undefined && hasScope(principal, 'licenses:write');
