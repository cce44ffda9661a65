import type { AccountId } from '../shared/ids.js';
import { type Filter, given } from '../storage/filter.js';
import type { LicenseFilterQuery } from './dto/license-list.query.js';
import type { License, LicenseStatus } from './license.js';
import { NO_END } from './term.js';

/** Selects an account's licenses, with statuses as of `now`. */
export const toFilter = (
  accountId: AccountId,
  { status, clientId, projectId, product, externalId, entitlement, ...query }: LicenseFilterQuery,
  now: Date,
): Filter<License> => ({
  user: accountId,
  ...given({ client: clientId, project: projectId, product, externalId }),
  ...(entitlement !== undefined && { entitlements: { has: entitlement } }),
  // Each of them may have its own bound of expiresAt.
  and: [
    status ? hasStatus(status, now) : {},
    query.expiresBefore
      ? { ...HAS_END, expiresAt: { before: earliest(query.expiresBefore, NO_END) } }
      : {},
    query.expiresAfter ? { ...HAS_END, expiresAt: { from: query.expiresAfter } } : {},
  ],
});

/** The term has begun, or has an absolute end. */
const HAS_END: Filter<License> = { or: [{ activatedAt: { not: null } }, { endIsFixed: true }] };

const earliest = (one: Date, other: Date): Date => (one < other ? one : other);

/** The licenses that have a status now: EXPIRED is stored as ACTIVE, or as PENDING with an absolute end. */
export function hasStatus(status: LicenseStatus, now: Date): Filter<License> {
  const justAfter = new Date(now.getTime() + 1);
  switch (status) {
    case 'ACTIVE':
      return { status, expiresAt: { from: justAfter } };
    case 'EXPIRED':
      return {
        status: { oneOf: ['ACTIVE', 'PENDING'] },
        expiresAt: { before: justAfter },
        or: [{ status: 'ACTIVE' }, { endIsFixed: true }],
      };
    case 'PENDING':
      return { status, or: [{ endIsFixed: false }, { expiresAt: { from: justAfter } }] };
    case 'SUSPENDED':
    case 'REVOKED':
      return { status };
  }
}
