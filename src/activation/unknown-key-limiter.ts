import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../shared/bounded-cache.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { isOpen, REMEMBERED } from '../shared/http/rate-limit/fixed-windows.js';
import { Clock } from '../shared/time/clock.js';

interface Attempts {
  readonly beganAt: number;
  readonly endsAt: number;
  /** 48 bits of a hash of each distinct key: enough to tell twenty apart, and small. */
  readonly keys: number[];
}

/**
 * Limits how many distinct unknown keys an address may ask for. Many machines that poll one deleted
 * license count as one, and a search for keys ends soon.
 */
@Injectable()
export class UnknownKeyLimiter {
  private readonly addresses = new LRUCache<string, Attempts>(atMost(REMEMBERED));

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError TOO_MANY_REQUESTS while the address is over the limit */
  check(address: string): void {
    const attempts = this.current(address);
    if (!attempts || attempts.keys.length <= this.config.limits.unknownKeys.requests) return;
    const retryAfter = Math.ceil((attempts.endsAt - this.clock.now().getTime()) / 1000);
    throw new DomainError('TOO_MANY_REQUESTS', {}, { retryAfter });
  }

  /**
   * Counts an unknown key that the address has asked for.
   *
   * @throws DomainError TOO_MANY_REQUESTS where it is the one too many
   */
  count(address: string, key: string): void {
    if (this.config.limits.unknownKeys.requests === 0) return;
    const attempts = this.current(address) ?? this.begin(address);
    const digest = createHash('sha256').update(key.trim().toUpperCase()).digest().readUIntBE(0, 6);
    if (!attempts.keys.includes(digest)) attempts.keys.push(digest);
    this.check(address);
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
