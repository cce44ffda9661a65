import * as inputs from '../api/inputs.js';
import type { LicenseSort, LicenseStatus } from '../api/types.js';
import { dayOf, isDay, startOf } from '../shared/days.js';
import { texts } from '../texts.js';

/** The filters of the license list, as stored in the URL. */
export interface LicenseFilter {
  /** One or several, joined by commas. */
  readonly status?: string;
  readonly clientId?: string;
  readonly projectId?: string;
  readonly product?: string;
  readonly plan?: string;
  /** Days, such as 2026-12-31. Each means the start of that day. */
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly expiresAfter?: string;
  readonly expiresBefore?: string;
  readonly sort?: LicenseSort;
  readonly order?: 'asc';
}

export const STATUSES = Object.keys(texts.licenses.status) as LicenseStatus[];

const ID = new RegExp(inputs.listLicenses.clientId.pattern);
/** The filters that are days. */
export const DAYS = ['createdAfter', 'createdBefore', 'expiresAfter', 'expiresBefore'] as const;

const SORTS: readonly unknown[] = ['createdAt', 'expiresAt'] satisfies LicenseSort[];

/** Reads the filters from a URL and drops invalid ones. */
export function toLicenseFilter(search: Record<string, unknown>): LicenseFilter {
  const { status, clientId, projectId, product, plan, sort, order } = search;
  return {
    ...(statusesOf({ status }).length > 0 && { status: statusesOf({ status }).join() }),
    ...(matches(clientId, ID) && { clientId }),
    ...(matches(projectId, ID) && { projectId }),
    ...(matches(product, /./) && { product }),
    ...(matches(plan, ID) && { plan }),
    ...Object.fromEntries(
      DAYS.flatMap((name) => (isDay(search[name]) ? [[name, search[name]]] : [])),
    ),
    ...(SORTS.includes(sort) && { sort: sort as LicenseSort }),
    ...(order === 'asc' && { order }),
  };
}

/** The statuses in a filter or URL. */
export function statusesOf({ status }: { readonly status?: unknown }): LicenseStatus[] {
  const named = typeof status === 'string' ? status.split(',') : [];
  return STATUSES.filter((one) => named.includes(one));
}

const matches = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);

/** The active licenses that expire in the next calendar month, soonest first. */
export function endingNextMonth(now: Date): LicenseFilter {
  const first = (months: number) => dayOf(new Date(now.getFullYear(), now.getMonth() + months, 1));
  return {
    status: 'ACTIVE',
    expiresAfter: first(1),
    expiresBefore: first(2),
    sort: 'expiresAt',
    order: 'asc',
  };
}

/** The active licenses that expire within a number of days, soonest first. */
export const endingWithin = (days: number, now: Date): LicenseFilter => ({
  status: 'ACTIVE',
  expiresBefore: dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days + 1)),
  sort: 'expiresAt',
  order: 'asc',
});

/** The API query for a filter. A day starts at midnight in the reader's time zone. */
export const toQuery = ({ status, ...filter }: LicenseFilter) => ({
  ...filter,
  ...(status && { status: statusesOf({ status }) }),
  ...(Object.fromEntries(
    DAYS.flatMap((name) => (filter[name] ? [[name, startOf(filter[name])]] : [])),
  ) as Pick<LicenseFilter, (typeof DAYS)[number]>),
});
