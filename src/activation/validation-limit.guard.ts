import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lookupForms } from '../licenses/license-key-form.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { MemoryRateLimits } from '../limits/memory-rate-limits.js';
import { RateLimit, setRateLimitHeaders } from '../limits/rate-limit.guard.js';
import { accept, type RateLimitStatus } from '../limits/rate-limits.js';
import { addressOf } from '../http/client-address.js';
import { readJsonBody } from '../shared/fields/json-body.js';
import { Config, type Limit } from '../shared/config/config.js';

/** Characters of a license key's hash: 96 bits, keyed, so nobody can find two keys that share them. */
const HASH_LENGTH = 16;

/**
 * Limits validations by address, and by license key and address. Many machines can share an address, and a
 * machine in a loop hits the limit of its key. Each instance counts in memory, because a validation must
 * not write to the store. It runs before the body is parsed for the route, so malformed requests count
 * towards the limit of the address.
 */
@Injectable()
export class ValidationLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: MemoryRateLimits,
    private readonly keys: LicenseKeyService,
    private readonly config: Config,
  ) {}

  /** @throws DomainError TOO_MANY_REQUESTS if a limit is reached; neither limit counts the request then */
  canActivate(context: ExecutionContext): true {
    if (this.reflector.get(RateLimit, context.getHandler()) !== 'by_own_guard') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { validation, validationAddress } = this.config.limits;
    const address = addressOf(request);
    this.hit(validationAddress, address, 0);
    const key = this.keyOf(request);
    const ofKey = key === undefined ? undefined : this.hit(validation, `${key} ${address}`);
    const ofAddress = this.hit(validationAddress, address);
    const isOfAddress = !ofKey || (ofAddress && ofAddress.remaining < ofKey.remaining);
    const nearest = isOfAddress ? ofAddress : ofKey;
    setRateLimitHeaders(http.getResponse<FastifyReply>(), nearest);
    return true;
  }

  private hit(limit: Limit, key: string, cost: 0 | 1 = 1): RateLimitStatus | undefined {
    if (limit.requests === 0) return undefined;
    const most = limit.requests - 1 + cost;
    return accept(limit, this.limits.hitSync(limit, key, cost), most);
  }

  /** Undefined if the body, which is not validated yet, has no license key. */
  private keyOf(request: FastifyRequest): string | undefined {
    const key = keyIn(request);
    const normal = typeof key === 'string' ? lookupForms(key).at(-1)?.toUpperCase() : undefined;
    return normal === undefined ? undefined : this.keys.hash(normal).slice(0, HASH_LENGTH);
  }
}

/** Parses the body. The input guard rejects a malformed one. */
function keyIn(request: FastifyRequest): unknown {
  try {
    if (request.body) request.body = readJsonBody(request.body as Buffer);
    return (request.body as { key?: unknown } | null | undefined)?.key;
  } catch {
    return undefined;
  }
}

/** Limits a route by {@link ValidationLimitGuard}. */
export const LimitValidations = () => RateLimit('by_own_guard');
