import type { ReleasePolicy } from '../licenses/license.js';
import { searchForm } from '../shared/fields/search-form.js';
import type { AccountId } from '../shared/ids.js';
import { collection, type RecordOf, field } from '../storage/collection.js';

const FIELDS = {
  _id: field.id(),
  owner: field.id<AccountId>(),
  /** Unique in the account. */
  name: field.text(),
  /** The {@link searchForm} of the name. */
  searchName: field.text(),
  /** The product it is for; null for any product. */
  product: field.text().nullable(),
  /** Months, or days of 24 hours; both null for perpetual licenses. */
  duration: field.integer().nullable(),
  days: field.integer().nullable(),
  /** Days of updates, starting at the first activation; null if unlimited. */
  updatesDays: field.integer().nullable(),
  services: field.list<string>(),
  maxMachines: field.integer(),
  leaseSeconds: field.integer().nullable(),
  release: field.text<ReleasePolicy>(),
  entitlements: field.list<string>(),
  /** Whether a machine can activate only one license of the plan: a trial. */
  oncePerMachine: field.boolean(),
  createdAt: field.time(),
  updatedAt: field.time(),
};

/** What an account sells: terms for the licenses issued with it. */
export type Plan = RecordOf<typeof FIELDS>;

export const PLANS = collection<Plan>('plans', {
  fields: FIELDS,
  unique: [['owner', 'name']],
  indexes: [['owner', 'createdAt', '_id']],
  account: 'owner',
  cached: true,
});

/** The fields of a plan that its owner sets. */
export const PLAN_FIELDS = [
  ...(['name', 'product', 'duration', 'days', 'services', 'maxMachines'] as const),
  ...(['updatesDays', 'leaseSeconds', 'release', 'entitlements', 'oncePerMachine'] as const),
];
export type PlanFields = Pick<Plan, (typeof PLAN_FIELDS)[number]>;

/** A plan with the stored form of its name. */
export const withSearchName = (plan: Omit<Plan, 'searchName'>): Plan => ({
  ...plan,
  searchName: searchForm(plan.name),
});

/** Maximum number of plans per account. */
export const MAX_PLANS = 1_000;
