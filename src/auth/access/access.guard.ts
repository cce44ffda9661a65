import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Capacity } from '../../http/capacity.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { requestContext } from '../../shared/request-context.js';
import { VERSION } from '../../shared/version.js';
import type { AuthenticatedRequest, Principal } from '../principal.js';
import { Callers } from './callers.service.js';
import { type Access, accessTo, isAtLeast } from './operations.js';

/**
 * Rejects an authenticated caller before the body and the record are read: access has ended, the account has too many requests in
 * progress, or the table of operations does not allow the role or scopes.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly capacity: Capacity,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (request.user === undefined) return true;
    context.switchToHttp().getResponse<FastifyReply>().header('X-Service-Version', VERSION);
    this.capacity.admitAccount(request, request.user);
    return this.admit(request, accessTo(context.getHandler().name));
  }

  private async admit(request: AuthenticatedRequest, access: Access): Promise<true> {
    const principal = await this.callers.find(request.user!);
    if (!principal) throw new DomainError('UNAUTHORIZED');
    request.user = principal;
    requestContext.getStore()!.principal = principal;
    const { withLicenses } = request.query as { readonly withLicenses?: unknown };
    requireAccess(principal, access, withLicenses === 'true');
    return true;
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
