import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Capacity } from '../../http/capacity.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { requestContext } from '../../shared/request-context.js';
import { Clock } from '../../shared/time/clock.js';
import { VERSION } from '../../shared/version.js';
import {
  type AuthenticatedRequest,
  type Principal,
  rejectionOf,
  requireAccess,
} from '../principal.js';
import { isVerified } from '../sessions/session.js';
import { stepUpFactors } from '../factors/factors.js';
import { Callers } from './callers.service.js';
import { type Access, accessTo } from './operations.js';

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

  /** @throws DomainError FACTOR_SETUP_REQUIRED, STEP_UP_REQUIRED */
  private requireFactor(principal: Principal, { stepUp, withoutFactor }: Access): void {
    if (principal.type === 'api_key') return;
    if (principal.lacksFactor && !withoutFactor) throw new DomainError('FACTOR_SETUP_REQUIRED');
    if (!stepUp || isVerified(principal, this.clock.now())) return;
    throw new DomainError('STEP_UP_REQUIRED', { factors: stepUpFactors(principal.factors) });
  }
}
