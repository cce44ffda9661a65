import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { EstimatedQuota } from '../shared/quotas/estimated-quota.js';
import { Store } from '../storage/store.js';
import { MACHINES } from './machine.js';

/** Limits the machines of an account, of all its licenses. A counter would be one record that all of its activations change. */
@Injectable()
export class MachineQuota {
  private readonly quota: EstimatedQuota;

  constructor(
    private readonly store: Store,
    { quotas }: Config,
  ) {
    this.quota = new EstimatedQuota(quotas.machines, 'MACHINE_QUOTA_REACHED');
  }

  /** @throws DomainError MACHINE_QUOTA_REACHED if one more machine would exceed the quota */
  require(user: AccountId): Promise<void> {
    return this.quota.requireRoom(user, (atMost) => this.store.count(MACHINES, { user }, atMost));
  }
}
