import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { requestContext } from '../../shared/request-context.js';
import type { Principal } from '../principal.js';
import { SessionsService } from './sessions.service.js';

/** Rejects an access token whose session has ended, on every instance. It runs after authentication, within the account's places. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { user } = context.switchToHttp().getRequest<{ readonly user?: Principal }>();
    return user === undefined || this.requireLive(user);
  }

  /** @throws DomainError UNAUTHORIZED */
  private async requireLive(principal: Principal): Promise<true> {
    if (!(await this.sessions.isLive(principal))) throw new DomainError('UNAUTHORIZED');
    requestContext.getStore()!.principal = principal;
    return true;
  }
}
