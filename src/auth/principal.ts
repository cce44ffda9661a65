import type { AccountId } from '../shared/ids/account-id.js';
import type { Role } from './access/roles.js';
import type { Scope } from './access/scopes.js';

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

/** Whether a caller has a scope; members are limited by their roles alone. */
export const hasScope = (principal: Principal, scope: Scope): boolean =>
  principal.type === 'user' || principal.scopes.includes(scope);

/** Whether license keys are shown to a caller in full. */
export const seesLicenseKeys = (principal: Principal | undefined): boolean =>
  principal?.type === 'user'
    ? principal.role !== 'viewer'
    : principal !== undefined && hasScope(principal, 'licenses:write');
