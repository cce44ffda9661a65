import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import { Capacity } from './capacity.js';

/** Rejects an account's requests beyond those that it may have in progress; runs after authentication. */
@Injectable()
export class AccountCapacityGuard implements CanActivate {
  constructor(private readonly capacity: Capacity) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<FastifyRequest & { readonly user?: Principal }>();
    if (request.user) this.capacity.admitAccount(request, request.user);
    return true;
  }
}
