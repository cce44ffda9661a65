import { type mongo, Types } from 'mongoose';
import type { LicenseStatus } from '../../licenses/license.js';
import type { LicenseQuery } from '../../licenses/licenses.repository.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import type { Position } from '../../shared/pagination/page.js';
import { comesAfter } from './positions.js';

type Filter = mongo.Filter<mongo.Document>;

/** The condition of the licenses that have a status now: EXPIRED is stored as ACTIVE. */
export function hasStatus(status: LicenseStatus, now: Date): Filter {
  switch (status) {
    case 'ACTIVE':
      return { status: 'ACTIVE', expiresAt: { $gt: now } };
    case 'EXPIRED':
      return { status: 'ACTIVE', expiresAt: { $lte: now } };
    case 'PENDING':
    case 'REVOKED':
      return { status };
  }
}

/** The condition of the licenses of a list that come after a position. */
export function listed(
  user: AccountId,
  { status, client, project, expiresBefore, sort, order }: LicenseQuery,
  after: Position | undefined,
  now: Date,
): Filter {
  return {
    user: new Types.ObjectId(user),
    ...(client !== undefined && { client: new Types.ObjectId(client) }),
    ...(project !== undefined && { project: new Types.ObjectId(project) }),
    // Each of these may have its own bound of expiresAt.
    $and: [
      status ? hasStatus(status, now) : {},
      expiresBefore ? { activatedAt: { $ne: null }, expiresAt: { $lt: expiresBefore } } : {},
      comesAfter(after, sort, order),
    ],
  };
}
