import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import {
  IDEMPOTENCY_RECORDS,
  type IdempotencyRecord,
} from '../shared/idempotency/idempotency-record.js';
import { EstimatedQuota } from '../shared/quotas/estimated-quota.js';
import { Store } from './store.js';

/** Limits the idempotency records of an account that have not expired. */
@Injectable()
export class IdempotencyQuota {
  private readonly quota: EstimatedQuota;

  constructor(
    private readonly store: Store,
    { quotas }: Config,
  ) {
    this.quota = new EstimatedQuota(quotas.idempotencyRecords, 'IDEMPOTENCY_QUOTA_REACHED');
  }

  /** @throws DomainError IDEMPOTENCY_QUOTA_REACHED if one more record would exceed the quota */
  require({ owner, createdAt }: IdempotencyRecord): Promise<void> {
    const unexpired = { owner, expiresAt: { from: new Date(createdAt.getTime() + 1) } };
    return this.quota.requireRoom(owner, (atMost) =>
      this.store.count(IDEMPOTENCY_RECORDS, unexpired, atMost),
    );
  }
}
