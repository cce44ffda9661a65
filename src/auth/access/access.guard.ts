import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Capacity } from '../../http/capacity.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { requestContext } from '../../shared/request-context.js';
import { Clock } from '../../shared/time/clock.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { VERSION } from '../../shared/version.js';
import { Store } from '../../storage/store.js';
import { USERS } from '../accounts/user.js';
import { API_KEYS, isExpired } from '../api-keys/api-key.js';
import { dueFactors, stepUpFactors } from '../factors/factors.js';
import { RelyingParty } from '../factors/relying-party.js';
import {
  type ApiKeyPrincipal,
  type AuthenticatedRequest,
  type Credentials,
  type Principal,
  rejectionOf,
  requireAccess,
  type SessionCaller,
  type UserPrincipal,
} from '../principal.js';
import { isVerified, SESSIONS } from '../sessions/session.js';
import { type Access, accessTo } from './operations.js';

/** Looks up the caller of an authenticated request. */
@Injectable()
export class Callers {
  constructor(
    private readonly store: Store,
    private readonly relyingParty: RelyingParty,
    private readonly clock: Clock,
  ) {}

  /** The current caller; null if the session or API key has ended, or the member or account was deleted or disabled. */
  async find(credentials: Credentials): Promise<Principal | null> {
    const [account, caller] = await Promise.all([
      this.store.find(TOTALS, { _id: credentials.accountId }),
      credentials.type === 'user' ? this.findMember(credentials) : this.findApiKey(credentials),
    ]);
    if (account?.disabledAt !== null || !caller) return null;
    if (caller.type === 'api_key') return caller;
    const lacksFactor = account.mfa === 'required' && caller.factors.length === 0;
    return { ...caller, lacksFactor };
  }

  private async findMember(
    caller: SessionCaller,
  ): Promise<Omit<UserPrincipal, 'lacksFactor'> | null> {
    const [session, user] = await Promise.all([
      this.store.find(SESSIONS, { _id: caller.session }),
      this.store.find(USERS, { _id: caller.id }),
    ]);
    const isLive =
      session?.user === caller.id &&
      session.expiresAt > this.clock.now() &&
      user?.account === caller.accountId &&
      user.disabledAt === null;
    if (!isLive) return null;
    const { name, role } = user;
    const factors = dueFactors(user.factors, this.relyingParty.site?.id);
    return { ...caller, name, role, verifiedAt: session.verifiedAt, factors };
  }

  private async findApiKey(caller: ApiKeyPrincipal): Promise<ApiKeyPrincipal | null> {
    const apiKey = await this.store.find(API_KEYS, { _id: caller.id });
    return apiKey && !isExpired(apiKey, this.clock.now()) ? caller : null;
  }
}

/**
 * Rejects an authenticated caller before the body and the record are read, if access has ended, the account
 * has too many requests in progress, or the table of operations does not allow the role or scopes.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly capacity: Capacity,
    private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (request.user === undefined) return true;
    context.switchToHttp().getResponse<FastifyReply>().header('X-Service-Version', VERSION);
    this.capacity.admitAccount(request, request.user.accountId);
    return this.admit(request, accessTo(context.getHandler().name));
  }

  private async admit(request: AuthenticatedRequest, access: Access): Promise<true> {
    const principal = await this.callers.find(request.user!);
    if (!principal) throw new DomainError('UNAUTHORIZED');
    request.user = principal;
    requestContext.getStore()!.principal = principal;
    const { withLicenses } = request.query as { readonly withLicenses?: unknown };
    const { role, scopes, or = [] } = access;
    const more = withLicenses === 'true' ? (access.withLicenses ?? []) : [];
    if (or.every((one) => rejectionOf(principal, one))) {
      requireAccess(principal, { role, scopes: [...scopes, ...more] });
    }
    this.requireFactor(principal, access);
    return true;
  }

  private requireFactor(principal: Principal, { stepUp, withoutFactor }: Access): void {
    if (principal.type === 'api_key') return;
    if (principal.lacksFactor && !withoutFactor) throw new DomainError('FACTOR_SETUP_REQUIRED');
    if (!stepUp || isVerified(principal, this.clock.now())) return;
    throw new DomainError('STEP_UP_REQUIRED', { factors: stepUpFactors(principal.factors) });
  }
}
