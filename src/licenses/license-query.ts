import type { AccountId } from '../shared/ids.js';
import { type Filter, omitUndefined } from '../storage/filter.js';
import type { LicenseFilterQuery } from './dto/license-list.query.js';
import type { License, LicenseStatus } from './license.js';
import { NO_END } from './term.js';

/** Selects an account's licenses, with statuses as of `now`. */
export const toFilter = (
  accountId: AccountId,
  { status, clientId, projectId, product, plan, externalId, ...query }: LicenseFilterQuery,
  now: Date,
): Filter<License> => ({
  user: accountId,
  ...omitUndefined({ client: clientId, project: projectId, product, plan, externalId }),
  ...(query.entitlement !== undefined && { entitlements: { has: query.entitlement } }),
  ...(query.metadata !== undefined && { metadata: { has: pairIn(query.metadata) } }),
  // Each status can have its own time limits.
  and: [
    status ? hasOneOf(status, now) : {},
    query.createdAfter ? { createdAt: { from: query.createdAfter } } : {},
    query.createdBefore ? { createdAt: { before: query.createdBefore } } : {},
    query.expiresBefore
      ? { ...HAS_END, expiresAt: { before: earliest(query.expiresBefore, NO_END) } }
      : {},
    query.expiresAfter ? { ...HAS_END, expiresAt: { from: query.expiresAfter } } : {},
  ],
});

const pairIn = (text: string): readonly [string, string] => {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
};

const hasOneOf = (statuses: readonly LicenseStatus[], now: Date): Filter<License> => {
  const [first, ...others] = statuses.map((status) => hasStatus(status, now));
  // An index can start with only one status.
  return others.length === 0 ? first! : { or: [first!, ...others] };
};

/** The term has started, or its end is fixed. */
const HAS_END: Filter<License> = { or: [{ activatedAt: { not: null } }, { endIsFixed: true }] };

const earliest = (one: Date, other: Date): Date => (one < other ? one : other);

/** The licenses that have a status now. EXPIRED is stored as ACTIVE, or as PENDING with a fixed expiry date. */
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
