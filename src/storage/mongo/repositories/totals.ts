import type { Types } from 'mongoose';
import type { Totals } from '../../../dashboard/dashboard.js';
import type { Quotas } from '../../../shared/config/config.js';
import { requireWithinQuotas } from '../../account-quotas.js';
import type { MongoStore, Transaction } from '../connection/mongo-store.js';

const NONE: Totals = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };

/** The totals of users, in their order. */
export async function readTotals(store: MongoStore, users: Types.ObjectId[]): Promise<Totals[]> {
  const records = await store.run(({ totals }) => totals.find({ _id: { $in: users } }).lean());
  const byUser = new Map<string, Totals>(records.map((record) => [String(record._id), record]));
  return users.map((user) => {
    const { clientsCount, projectsCount, licensesCount } = byUser.get(String(user)) ?? NONE;
    return { clientsCount, projectsCount, licensesCount };
  });
}

/**
 * Counts records that are added in a transaction. All such transactions of a user change this one record, and have the
 * user as their key. So of those that would exceed a quota together, one is retried.
 *
 * @throws DomainError CLIENT_QUOTA_REACHED, PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED
 */
export async function addToTotals(
  tx: Transaction,
  user: Types.ObjectId,
  added: Partial<Totals>,
  quotas: Quotas,
): Promise<void> {
  requireWithinQuotas(quotas, await changeTotals(tx, user, added), added);
}

/** Counts records that are added or deleted in a transaction. Returns the new totals. */
export function changeTotals(
  { totals, session }: Transaction,
  user: Types.ObjectId,
  by: Partial<Totals>,
): Promise<Totals> {
  const $inc = { ...NONE, ...by };
  const options = { session, upsert: true, returnDocument: 'after' } as const;
  return totals.findOneAndUpdate({ _id: user }, { $inc }, options).lean().exec();
}

/** Deletes the totals of a user in a transaction: every other change of them conflicts with it, the first one too. */
export async function deleteTotals(tx: Transaction, user: Types.ObjectId): Promise<void> {
  // Deleting a record that does not exist would conflict with nothing.
  await changeTotals(tx, user, { clientsCount: 1 });
  await tx.totals.deleteOne({ _id: user }, { session: tx.session });
}
