import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { addressOf } from '../server/client-address.js';
import {
  nearerToRejecting,
  type RateLimitStatus,
  setRateLimitHeaders,
} from '../server/rate-limit/rate-limit-status.js';
import { RequestLimit } from '../server/rate-limit/request-limit.js';
import { Config } from '../shared/config/config.js';
import { namedLimit } from '../shared/rate-limit/rate-limit-windows.js';
import { Clock } from '../shared/time/clock.js';

/**
 * Limits the validations of an address: of each license key, and of all keys together. Many machines can
 * share an address, and one in a loop does not use up the requests of the others. Requests are counted before their body is
 * validated, so that malformed ones count, too.
 */
@Injectable()
export class ValidationLimitGuard implements CanActivate {
  private readonly byKey = new RequestLimit(namedLimit(this.config, 'validation'));
  private readonly byAddress = new RequestLimit(namedLimit(this.config, 'validationAddress'));

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly keys: LicenseKeyService,
  ) {}

  canActivate(context: ExecutionContext): true {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const status = this.count(addressOf(request), keyIn(request.body));
    if (status) setRateLimitHeaders(http.getResponse<FastifyReply>(), status);
    return true;
  }

  /**
   * @param key the request's license key; undefined where its body has none
   * @returns the status of the limit that is closest to rejecting; undefined where both are off
   * @throws DomainError TOO_MANY_REQUESTS where a limit is reached; then neither counts the request
   */
  count(address: string, key: string | undefined): RateLimitStatus | undefined {
    const now = this.clock.now().getTime();
    this.byAddress.check(address, now);
    const normalKey = key === undefined ? undefined : this.keys.parse(key);
    if (normalKey === undefined) return this.byAddress.count(address, now);
    const keyAtAddress = `${this.keys.hash(normalKey)} ${address}`;
    this.byKey.check(keyAtAddress, now);
    const ofAddress = this.byAddress.count(address, now);
    return nearerToRejecting(ofAddress, this.byKey.count(keyAtAddress, now));
  }
}

/** The license key of a body that has not been validated. */
function keyIn(body: unknown): string | undefined {
  const key = (body as { key?: unknown } | null | undefined)?.key;
  return typeof key === 'string' ? key : undefined;
}
