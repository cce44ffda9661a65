import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { findOwned } from '../storage/find-owned.js';
import { Store } from '../storage/store.js';
import { type Plan, PLANS } from './plan.js';

@Injectable()
export class PlanReader {
  constructor(private readonly store: Store) {}

  /**
   * The plan that a request names; null where it names none.
   *
   * @throws DomainError PLAN_NOT_FOUND
   */
  async find(_id: string | null | undefined, accountId: AccountId): Promise<Plan | null> {
    return _id ? this.get(_id, accountId) : null;
  }

  /** @throws DomainError PLAN_NOT_FOUND */
  async get(_id: string, accountId: AccountId): Promise<Plan> {
    const plan = await findOwned(this.store, PLANS, _id, accountId);
    if (!plan) throw new DomainError('PLAN_NOT_FOUND');
    return plan;
  }
}
