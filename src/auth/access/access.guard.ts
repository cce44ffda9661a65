import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Capacity } from '../../http/capacity.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { requestContext } from '../../shared/request-context.js';
import { Clock } from '../../shared/time/clock.js';
import { Store } from '../../storage/store.js';
import { USERS } from '../accounts/user.js';
import type { AuthenticatedRequest, Credentials, Principal } from '../principal.js';
import { SESSIONS } from '../sessions/session.js';
import { type Access, accessTo, isAtLeast } from './operations.js';

/**
 * Rejects an authenticated caller whose account has too many requests in progress, that has ended, or whose role or scopes the table
 * of operations does not allow, before the body and the record are read.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly capacity: Capacity,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (request.user === undefined) return true;
    this.capacity.admitAccount(request, request.user);
    return this.admit(request, accessTo(context.getHandler().name));
  }

  private async admit(request: AuthenticatedRequest, access: Access): Promise<true> {
    const principal = await this.load(request.user!);
    if (!principal) throw new DomainError('UNAUTHORIZED');
    request.user = principal;
    requestContext.getStore()!.principal = principal;
    const { withLicenses } = request.query as { readonly withLicenses?: unknown };
    requireAccess(principal, access, withLicenses === 'true');
    return true;
  }

  /** The caller as of now; null if the session has ended, or the member or the account is gone or disabled. */
  private async load(credentials: Credentials): Promise<Principal | null> {
    const { accountId } = credentials;
    if (credentials.type === 'api_key') {
      const account = await this.store.find(TOTALS, { _id: accountId });
      return account?.disabledAt === null ? credentials : null;
    }
    const [session, user, account] = await Promise.all([
      this.store.find(SESSIONS, { _id: credentials.session }),
      this.store.find(USERS, { _id: credentials.id }),
      this.store.find(TOTALS, { _id: accountId }),
    ]);
    const isLive =
      session?.user === credentials.id &&
      session.expiresAt > this.clock.now() &&
      user?.account === accountId &&
      user.disabledAt === null &&
      account?.disabledAt === null;
    return isLive ? { ...credentials, name: user.name, role: user.role } : null;
  }
}

/** @throws DomainError INSUFFICIENT_ROLE, INSUFFICIENT_SCOPE, SESSION_REQUIRED */
function requireAccess(principal: Principal, access: Access, withLicenses: boolean): void {
  const { role, scopes } = access;
  if (principal.type === 'user') {
    if (isAtLeast(principal.role, role)) return;
    throw new DomainError('INSUFFICIENT_ROLE', { role });
  }
  if (scopes.length === 0) throw new DomainError('SESSION_REQUIRED');
  const needed = withLicenses ? [...scopes, ...(access.withLicenses ?? [])] : scopes;
  const scope = needed.find((one) => !principal.scopes.includes(one));
  if (scope) throw new DomainError('INSUFFICIENT_SCOPE', { scope });
}
