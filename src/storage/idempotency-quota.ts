import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import {
  IDEMPOTENCY_RECORDS,
  type IdempotencyRecord,
} from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { maxEntries } from '../shared/bounded-cache.js';
import { Store } from './store.js';

/** Maximum of accounts whose allowance is remembered. */
const MAX_ACCOUNTS = 10_000;

/**
 * Limits the idempotency records of an account that have not expired. Counting them takes longer the more there are, so after a
 * count half of what is left may be stored until the next one. Instances do not know of each other's, so together they may exceed
 * the quota by what each allows.
 */
@Injectable()
export class IdempotencyQuota {
  private readonly allowances = new LRUCache<AccountId, { left: number }>(maxEntries(MAX_ACCOUNTS));

  constructor(
    private readonly store: Store,
    private readonly config: Config,
  ) {}

  /** @throws DomainError IDEMPOTENCY_QUOTA_REACHED where one more record would exceed the quota */
  async require({ owner, createdAt }: IdempotencyRecord): Promise<void> {
    const quota = this.config.quotas.idempotencyRecords;
    if (quota === 0) return;
    const allowance = this.allowances.get(owner);
    if (allowance && allowance.left > 0) {
      allowance.left -= 1;
      return;
    }
    const unexpired = { owner, expiresAt: { from: new Date(createdAt.getTime() + 1) } };
    const stored = await this.store.count(IDEMPOTENCY_RECORDS, unexpired, quota);
    if (stored >= quota) throw new DomainError('IDEMPOTENCY_QUOTA_REACHED');
    this.allowances.set(owner, { left: Math.floor((quota - stored - 1) / 2) });
  }
}
