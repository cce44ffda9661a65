import type { AccountId } from '../shared/ids/account-id.js';
import { type Filter, given } from '../storage/filter.js';
import type { License, LicenseStatus } from './license.js';

/** The filter and the order of a list of licenses; ties are broken by id. */
export interface LicenseQuery {
  readonly status?: LicenseStatus | undefined;
  readonly client?: string | undefined;
  readonly project?: string | undefined;
  readonly product?: string | undefined;
  /** Only activated licenses whose term ends before this time. */
  readonly expiresBefore?: Date | undefined;
  readonly sort: 'createdAt' | 'expiresAt';
  readonly order: 'asc' | 'desc';
}

/** Selects an account's licenses, with statuses as of `now`. */
export const toFilter = (
  accountId: AccountId,
  { status, client, project, product, expiresBefore }: LicenseQuery,
  now: Date,
): Filter<License> => ({
  user: accountId,
  ...given({ client, project, product }),
  // Each of the two may have its own bound of expiresAt.
  and: [
    status ? hasStatus(status, now) : {},
    expiresBefore ? { activatedAt: { not: null }, expiresAt: { before: expiresBefore } } : {},
  ],
});

/** The licenses that have a status now: EXPIRED is stored as ACTIVE. */
export function hasStatus(status: LicenseStatus, now: Date): Filter<License> {
  const justAfter = new Date(now.getTime() + 1);
  switch (status) {
    case 'ACTIVE':
      return { status, expiresAt: { from: justAfter } };
    case 'EXPIRED':
      return { status: 'ACTIVE', expiresAt: { before: justAfter } };
    case 'PENDING':
    case 'SUSPENDED':
    case 'REVOKED':
      return { status };
  }
}
