import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { maxEntries } from '../shared/bounded-cache.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { isOpen, REMEMBERED, toSeconds } from '../server/rate-limit/fixed-windows.js';
import { Clock } from '../shared/time/clock.js';

interface Attempts {
  readonly beganAt: number;
  readonly endsAt: number;
  /** 48 bits of the hash of each distinct key: small, and enough to distinguish twenty. */
  readonly keys: number[];
}

/**
 * Limits the distinct unknown keys of an address: many machines that poll one deleted license count once.
 * Beyond the limit only unknown keys are rejected, as other machines may share the address.
 */
@Injectable()
export class UnknownKeyLimiter {
  private readonly addresses = new LRUCache<string, Attempts>(maxEntries(REMEMBERED));

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError TOO_MANY_REQUESTS where the address exceeds the limit */
  count(address: string, key: string): void {
    const { requests: limit } = this.config.limits.unknownKeys;
    if (limit === 0) return;
    const { keys, endsAt } = this.current(address) ?? this.begin(address);
    if (keys.length <= limit) {
      const digest = createHash('sha256').update(key.trim().toUpperCase()).digest();
      const shortDigest = digest.readUIntBE(0, 6);
      if (!keys.includes(shortDigest)) keys.push(shortDigest);
    }
    if (keys.length <= limit) return;
    const retryAfter = toSeconds(endsAt - this.clock.now().getTime());
    throw new DomainError('TOO_MANY_REQUESTS', {}, { limit, retryAfter });
  }

  private current(address: string): Attempts | undefined {
    const attempts = this.addresses.get(address);
    return attempts && isOpen(attempts, this.clock.now().getTime()) ? attempts : undefined;
  }

  private begin(address: string): Attempts {
    const beganAt = this.clock.now().getTime();
    const endsAt = beganAt + this.config.limits.unknownKeys.seconds * 1000;
    const attempts = { beganAt, endsAt, keys: [] };
    this.addresses.set(address, attempts);
    return attempts;
  }
}
