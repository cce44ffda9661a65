import { Injectable } from '@nestjs/common';
import { changesOf, recordOf } from '../events/event.js';
import { countLicensesOf } from '../licenses/license-counts.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { type AccountId, newOwned } from '../shared/ids.js';
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, isUnchanged, remove, replace, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { omitUndefined } from '../storage/filter.js';
import { type CountsByValue, getOwned, Store } from '../storage/store.js';
import {
  MAX_PLANS,
  type Plan,
  PLAN_FIELDS,
  type PlanFields,
  PLANS,
  withSearchName,
} from './plan.js';

const eventOf = recordOf('plan');

/** The plans of an account. Changes to a plan do not affect licenses issued with it. */
@Injectable()
export class PlansService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  create(accountId: AccountId, fields: PlanFields, idempotency?: IdempotencyRecord): Promise<Plan> {
    const plan = withSearchName({ ...newOwned(accountId, this.clock.now()), ...fields });
    const decide = async (failed?: Change) => {
      if (failed?.collection === TOTALS) throw new DomainError('UNAUTHORIZED');
      await this.requireName(plan);
      const count = await this.store.count(PLANS, { owner: accountId }, MAX_PLANS);
      if (count >= MAX_PLANS) throw new DomainError('PLAN_QUOTA_REACHED');
      const event = eventOf('created', plan, plan.createdAt, { ...fields });
      return { result: plan, changes: [touch(TOTALS, accountId), insert(PLANS, plan), event] };
    };
    return this.decisions.run(decide, { idempotency });
  }

  get(_id: string, accountId: AccountId): Promise<Plan> {
    return getOwned(this.store, PLANS, _id, accountId, 'PLAN_NOT_FOUND');
  }

  /** The plan in a request for a license, or null. */
  async find(_id: string | null | undefined, accountId: AccountId): Promise<Plan | null> {
    return _id ? this.get(_id, accountId) : null;
  }

  list(owner: AccountId, name: string | undefined, page: PageRequest): Promise<Page<Plan>> {
    return readPage(this.store, PLANS, { owner, ...omitUndefined({ name }) }, NEWEST_FIRST, page);
  }

  /** The number of licenses issued with each of these plans, by plan id; absent if there are none. */
  countLicenses(plans: readonly Plan[], user: AccountId): Promise<CountsByValue> {
    return countLicensesOf(this.store, user, 'plan', plans);
  }

  async update(
    _id: string,
    accountId: AccountId,
    fields: { readonly [K in keyof PlanFields]?: PlanFields[K] | undefined },
  ): Promise<Plan> {
    const changes = omitUndefined(fields);
    const decide = async () => {
      const before = await this.get(_id, accountId);
      const now = this.clock.now();
      const plan = withSearchName({ ...before, ...changes, updatedAt: now });
      if (isUnchanged(before, plan)) return { result: before, changes: [] };
      await this.requireName(plan);
      const data = changesOf(before, plan, PLAN_FIELDS);
      const event = eventOf('updated', plan, now, data);
      return { result: plan, changes: [replace(PLANS, before, plan), event] };
    };
    return this.decisions.run(decide, { key: _id });
  }

  delete(_id: string, accountId: AccountId): Promise<void> {
    const decide = async () => {
      const plan = await this.get(_id, accountId);
      const event = eventOf('deleted', plan, this.clock.now());
      return { result: undefined, changes: [remove(PLANS, plan), event] };
    };
    return this.decisions.run<void>(decide, { key: _id });
  }

  private async requireName({ _id, owner, name }: Plan): Promise<void> {
    const holder = await this.store.find(PLANS, { owner, name });
    if (holder && holder._id !== _id) throw new DomainError('PLAN_NAME_TAKEN');
  }
}

/** A plan, if licenses of a project can be issued with it. */
export function planFor({ product }: Pick<Plan, 'product'>, plan: Plan | null): Plan | null {
  if (plan?.product && plan.product !== product) throw new DomainError('PLAN_OF_ANOTHER_PRODUCT');
  return plan;
}
