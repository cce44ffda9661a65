import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../shared/http/client-address.decorator.js';
import { UnknownKeyLimiter } from './unknown-key-limiter.js';

/** Refuses an address that has asked for too many unknown keys, before its body is looked at. */
@Injectable()
export class UnknownKeyGuard implements CanActivate {
  constructor(private readonly limiter: UnknownKeyLimiter) {}

  canActivate(context: ExecutionContext): boolean {
    this.limiter.check(addressOf(context.switchToHttp().getRequest<FastifyRequest>()));
    return true;
  }
}
