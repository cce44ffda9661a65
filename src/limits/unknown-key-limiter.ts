import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { RateLimits } from './rate-limits.js';

/**
 * Limits the distinct unknown keys per address, or per account that looks up licenses: many machines polling one deleted
 * license count once. Over the limit, only unknown keys are rejected, because other machines may share the address.
 */
@Injectable()
export class UnknownKeyLimiter {
  private readonly limit = this.config.limits.unknownKeys;
  /** One window per key; its first hit counts as one hit of the caller. */
  private readonly oneKey = { ...this.limit, requests: 1 };

  constructor(
    private readonly limits: RateLimits,
    private readonly dataKeys: DataKeys,
    private readonly config: Config,
  ) {}

  /**
   * @param key in its normal form
   * @throws DomainError TOO_MANY_REQUESTS if the address or the account exceeds the limit
   */
  async count(caller: string, key: string): Promise<void> {
    const { limit, oneKey, limits } = this;
    if (limit.requests === 0) return;
    await limits.check(limit, caller, limit.requests);
    const hash = this.dataKeys.hash('unknown key', key);
    const { hits } = await limits.hit(oneKey, `${caller} ${hash}`);
    if (hits === 1) await limits.count(limit, caller);
  }
}
