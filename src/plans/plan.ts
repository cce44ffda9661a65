import type { ReleasePolicy } from '../licenses/license.js';
import { searchForm } from '../shared/fields/search-form.js';
import type { AccountId } from '../shared/ids.js';
import {
  boolean,
  collection,
  id,
  integer,
  list,
  type RecordOf,
  text,
  time,
} from '../storage/collection.js';

const FIELDS = {
  _id: id(),
  owner: id<AccountId>(),
  /** Unique in the account. */
  name: text(),
  /** The {@link searchForm} of the name. */
  searchName: text(),
  /** The product it is for; null for any product. */
  product: text().nullable(),
  /** Months, or days of 24 hours; both null for perpetual licenses. */
  duration: integer().nullable(),
  days: integer().nullable(),
  /** Days of updates, starting at the first activation; null if unlimited. */
  updatesDays: integer().nullable(),
  services: list<string>(),
  maxMachines: integer(),
  leaseSeconds: integer().nullable(),
  release: text<ReleasePolicy>(),
  entitlements: list<string>(),
  /** Whether a machine can activate only one license of the plan: a trial. */
  oncePerMachine: boolean(),
  createdAt: time(),
  updatedAt: time(),
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
