import { type mongo, Types } from 'mongoose';
import type { LicenseStatus } from '../../../licenses/license.js';
import type { LicenseQuery } from '../../../licenses/licenses.repository.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import type { Position } from '../../../shared/pagination/page.js';
import { prefixRange } from '../../../shared/search/search-form.js';

type Filter = mongo.Filter<mongo.Document>;

/** A client or a project of an account. */
export const ownedRecord = (_id: string, account: AccountId) => ({
  _id: new Types.ObjectId(_id),
  owner: new Types.ObjectId(account),
});

/**
 * The records that come after a position in a list that is sorted by a time, ties broken by id in the same
 * direction; all records where there is no position.
 *
 * @param field the time that the list is sorted by
 */
export function comesAfter(
  position: Position | undefined,
  field: string,
  order: 'asc' | 'desc' = 'desc',
): Filter {
  if (!position) return {};
  const { time } = position;
  const _id = new Types.ObjectId(position._id);
  // The bound outside $or lets the index scan begin at the position.
  return order === 'asc'
    ? { [field]: { $gte: time }, $or: [{ [field]: { $gt: time } }, { _id: { $gt: _id } }] }
    : { [field]: { $lte: time }, $or: [{ [field]: { $lt: time } }, { _id: { $lt: _id } }] };
}

/**
 * The clients whose name or e-mail address begins with a text; all clients where there is no text.
 *
 * @param search in its search form
 */
export function beginsWith(search: string | undefined): Filter {
  if (search === undefined) return {};
  const { from, until } = prefixRange(search);
  const range = { $gte: from, $lt: until };
  // A client that an instance of an earlier version has just stored has no search form of its address.
  const withoutForm = { searchEmail: null, email: range };
  return { $or: [{ searchName: range }, { searchEmail: range }, withoutForm] };
}

/** The licenses that have a status now: EXPIRED is stored as ACTIVE. */
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

/** The licenses of a list that come after a position. */
export function listedLicenses(
  account: AccountId,
  { status, client, project, product, expiresBefore, sort, order }: LicenseQuery,
  after: Position | undefined,
  now: Date,
): Filter {
  return {
    user: new Types.ObjectId(account),
    ...(client !== undefined && { client: new Types.ObjectId(client) }),
    ...(project !== undefined && { project: new Types.ObjectId(project) }),
    ...(product !== undefined && { product: { $eq: product } }),
    // Each of these may have its own bound of expiresAt.
    $and: [
      status ? hasStatus(status, now) : {},
      expiresBefore ? { activatedAt: { $ne: null }, expiresAt: { $lt: expiresBefore } } : {},
      comesAfter(after, sort, order),
    ],
  };
}
