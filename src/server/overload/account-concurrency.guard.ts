import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.js';
import { WorkClasses } from './work-class.js';

/** Rejects an account's requests beyond those that it may have in progress; runs after authentication. */
@Injectable()
export class AccountConcurrencyGuard implements CanActivate {
  constructor(private readonly classes: WorkClasses) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<FastifyRequest & { readonly user?: Principal }>();
    if (request.user) request.work?.hold(this.classes.accounts.acquire(request.user.accountId));
    return true;
  }
}
