import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '../rate-limits/rate-limit-status.js';
import { Config } from '../shared/config/config.js';
import { namedLimit, RateLimitWindows } from '../rate-limits/rate-limit-windows.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { Clock } from '../shared/time/clock.js';

/**
 * Limits the distinct unknown keys of an address, or of an account that looks up licenses: many machines that poll one deleted
 * license count once. Beyond the limit only unknown keys are rejected, as other machines may share the address.
 */
@Injectable()
export class UnknownKeyLimiter {
  private readonly limit = namedLimit(this.config, 'unknownKeys');

  constructor(
    private readonly config: Config,
    private readonly windows: RateLimitWindows,
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError TOO_MANY_REQUESTS where the address or the account exceeds the limit */
  async count(caller: string, key: string): Promise<void> {
    const { limit, windows, clock } = this;
    if (limit.requests === 0) return;
    const { hits, endsIn } = await windows.hit(limit, caller, clock.now(), this.digest(key));
    if (hits > limit.requests) throw tooManyRequests(limit, endsIn);
  }

  /** 48 bits of the keyed hash: small, and enough to distinguish twenty keys. */
  private digest(key: string): number {
    const hash = this.dataKeys.hash('unknown key', key.trim().toUpperCase());
    return Buffer.from(hash, 'base64url').readUIntBE(0, 6);
  }
}
