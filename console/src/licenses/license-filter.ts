import * as inputs from '../api/inputs.js';
import type { LicenseSort, LicenseStatus } from '../api/types.js';
import { texts } from '../texts.js';

/** The filters of the list of licenses, as they stand in the address. */
export interface LicenseFilter {
  readonly status?: LicenseStatus;
  readonly clientId?: string;
  readonly projectId?: string;
  readonly product?: string;
  /** A day, such as 2026-12-31. */
  readonly expiresBefore?: string;
  readonly sort?: LicenseSort;
}

export const STATUSES = Object.keys(texts.licenses.status) as LicenseStatus[];

const ID = new RegExp(inputs.listLicenses.clientId.pattern);
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filters of an address. Those that no list can have are left out. */
export function toLicenseFilter(search: Record<string, unknown>): LicenseFilter {
  const { status, clientId, projectId, product, expiresBefore, sort } = search;
  return {
    ...(isStatus(status) && { status }),
    ...(matches(clientId, ID) && { clientId }),
    ...(matches(projectId, ID) && { projectId }),
    ...(matches(product, /./) && { product }),
    ...(matches(expiresBefore, DAY) && isDate(expiresBefore) && { expiresBefore }),
    ...(sort === 'expiresAt' && { sort }),
  };
}

const isStatus = (value: unknown): value is LicenseStatus =>
  STATUSES.includes(value as LicenseStatus);

const matches = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);

const isDate = (day: string) => !Number.isNaN(Date.parse(day));

/** The day on which a time falls in the reader's time zone. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** The query of the API for a filter. The day begins at midnight in the reader's time zone. */
export const toQuery = ({ expiresBefore, sort, ...filter }: LicenseFilter) => ({
  ...filter,
  ...(expiresBefore && { expiresBefore: new Date(`${expiresBefore}T00:00`).toISOString() }),
  ...(sort && { sort, order: 'asc' as const }),
});
