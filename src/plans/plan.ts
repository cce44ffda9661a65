import type { License, ReleasePolicy, Service } from '../licenses/license.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { collection, id, integer, list, type RecordOf, text, time } from '../storage/collection.js';

const FIELDS = {
  _id: id(),
  owner: id<AccountId>(),
  /** Unique in the account. */
  name: text(),
  /** The product whose licenses it issues; null for any. */
  product: text().nullable(),
  /** Months, or days of 24 hours; both are null for licenses without an end. */
  duration: integer().nullable(),
  days: integer().nullable(),
  services: list<Service>(),
  maxMachines: integer(),
  leaseSeconds: integer().nullable(),
  release: text<ReleasePolicy>(),
  entitlements: list<string>(),
  createdAt: time(),
  updatedAt: time(),
};

/** What an account sells: the terms of licenses that are issued by it. */
export type Plan = RecordOf<typeof FIELDS>;

export const PLANS = collection<Plan>('plans', {
  fields: FIELDS,
  unique: [['owner', 'name']],
  indexes: [['owner', 'createdAt', '_id']],
  account: 'owner',
});

/**
 * A plan that issues a license of a project.
 *
 * @throws DomainError PLAN_OF_ANOTHER_PRODUCT
 */
export function planFor({ product }: Pick<License, 'product'>, plan: Plan | null): Plan | null {
  if (plan?.product && plan.product !== product) throw new DomainError('PLAN_OF_ANOTHER_PRODUCT');
  return plan;
}
