import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

/** Requests of one account in progress, those that wait for each other included. */
const MAX_OF_ACCOUNT = 32;

/** Rejects an account's requests beyond those that it may have in progress; runs after authentication. */
@Injectable()
export class AccountConcurrencyGuard implements CanActivate {
  private readonly accounts = new ConcurrencyLimiter(MAX_OF_ACCOUNT, 'account');

  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<FastifyRequest & { readonly user?: Principal }>();
    if (request.user) request.work?.hold(this.accounts.acquire(request.user.accountId));
    return true;
  }
}
