import { type mongo, Types } from 'mongoose';
import type { AccountId } from '../../shared/ids/account-id.js';
import { prefixRange } from '../../shared/search/search-form.js';

/** The condition of one client of its owner. */
export const ownedClient = (_id: string, owner: AccountId) => ({
  _id: new Types.ObjectId(_id),
  owner: new Types.ObjectId(owner),
});

/**
 * The condition of the clients whose name or e-mail address begins with a text; of all, where there is none.
 *
 * @param search in its search form
 */
export function beginsWith(search: string | undefined): mongo.Filter<mongo.Document> {
  if (search === undefined) return {};
  const { from, until } = prefixRange(search);
  const range = { $gte: from, $lt: until };
  return { $or: [{ searchName: range }, { searchEmail: range }] };
}
