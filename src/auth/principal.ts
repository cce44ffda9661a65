import type { FastifyRequest } from 'fastify';
import type { AccountId } from '../shared/ids.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { type Access, accessTo, isAtLeast, type Role, type Scope } from './access/operations.js';
import type { FactorKind } from './factors/factors.js';

/** A signed-in member of an account. */
export interface UserPrincipal {
  readonly accountId: AccountId;
  readonly type: 'user';
  /** The id of the login. */
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The session's id (claim `sid`). */
  readonly session: string;
  /** The session's latest proof of the password or a second factor. */
  readonly verifiedAt: Date;
  /** Second factors that can be used now; empty if the login has none. */
  readonly factors: readonly FactorKind[];
  /** Whether the account requires a second factor that the login does not have. */
  readonly lacksFactor: boolean;
}

/** A program with an API key. */
export interface ApiKeyPrincipal {
  readonly accountId: AccountId;
  readonly type: 'api_key';
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** The sender of an authenticated request. */
export type Principal = UserPrincipal | ApiKeyPrincipal;

/** The caller of a verified access token; the session has not been looked up yet. */
export type SessionCaller = Pick<UserPrincipal, 'accountId' | 'type' | 'id' | 'session'>;

export type Credentials = SessionCaller | ApiKeyPrincipal;

/** `user` is undefined if the route is public. */
export type AuthenticatedRequest = FastifyRequest & { user?: Credentials | Principal };

/** Whether a caller has a scope; members are limited only by role. */
export const hasScope = (principal: Principal, scope: Scope): boolean =>
  principal.type === 'user' || principal.scopes.includes(scope);

/** Why a caller may not call an operation that requires this access; undefined if they may. */
export function rejectionOf(
  principal: Principal,
  { role, scopes }: Pick<Access, 'role' | 'scopes'>,
): DomainError | undefined {
  if (principal.type === 'user') {
    if (isAtLeast(principal.role, role)) return undefined;
    return new DomainError('INSUFFICIENT_ROLE', { role });
  }
  if (scopes.length === 0) return new DomainError('SESSION_REQUIRED');
  const scope = scopes.find((one) => !principal.scopes.includes(one));
  return scope && new DomainError('INSUFFICIENT_SCOPE', { scope });
}

export function requireAccess(principal: Principal, access: Pick<Access, 'role' | 'scopes'>): void {
  const rejection = rejectionOf(principal, access);
  if (rejection) throw rejection;
}

/** Like {@link requireAccess}, for an operation by its name. */
export const requireAccessTo = (principal: Principal, operation: string): void =>
  requireAccess(principal, accessTo(operation));

/** For access that only some requests of an operation need; the service itself may do anything. */
export function requireScope(principal: Principal | undefined, scope: Scope): void {
  if (principal && !hasScope(principal, scope)) {
    throw new DomainError('INSUFFICIENT_SCOPE', { scope });
  }
}

/**
 * Whether a caller sees events about logins, members, API keys and sessions. The rule is the same as for
 * listing members and API keys.
 */
export const seesAccountEvents = (principal: Principal): boolean =>
  principal.type === 'user' && isAtLeast(principal.role, 'admin');

/** Whether a caller sees full license keys. */
export const seesLicenseKeys = (principal: Principal | undefined): boolean =>
  principal?.type === 'user'
    ? principal.role !== 'viewer'
    : principal !== undefined && hasScope(principal, 'licenses:write');
