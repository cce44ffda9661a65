import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Capacity } from './capacity.js';

/** Keeps the customers of one vendor from taking the capacity of other portals. */
@Injectable()
export class PortalCapacityGuard implements CanActivate {
  constructor(private readonly capacity: Capacity) {}

  /** @throws DomainError TOO_MANY_CONCURRENT_REQUESTS */
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.routeOptions.config.workClass === 'portal') {
      const { issuer } = request.params as { readonly issuer: string };
      this.capacity.admitAccount(request, issuer.toLowerCase());
    }
    return true;
  }
}
