import { Injectable } from '@nestjs/common';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { Config } from '../shared/config/config.js';
import { nearerToRejecting, type RateLimitStatus } from '../server/rate-limit/rate-limit-status.js';
import { RequestLimit } from '../server/rate-limit/request-limit.js';
import { Clock } from '../shared/time/clock.js';

/**
 * Limits the validations of an address: of each license key, and of all keys together. Many machines can
 * share an address, and one in a loop does not use up the requests of the others.
 */
@Injectable()
export class ValidationLimiter {
  private readonly byKey: RequestLimit;
  private readonly byAddress: RequestLimit;

  constructor(
    { limits }: Config,
    private readonly clock: Clock,
    private readonly keys: LicenseKeyService,
  ) {
    this.byKey = new RequestLimit({ name: 'validation', ...limits.validation });
    this.byAddress = new RequestLimit({ name: 'validationAddress', ...limits.validationAddress });
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
    return nearerToRejecting(
      this.byAddress.count(address, now),
      this.byKey.count(keyAtAddress, now),
    );
  }
}
