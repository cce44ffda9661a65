import type { Types } from 'mongoose';
import type { Totals } from '../../../dashboard/dashboard.js';
import type { Quotas } from '../../../shared/config/config.js';
import { requireWithinQuotas } from '../../account-quotas.js';
import type { MongoStore, Transaction } from '../connection/mongo-store.js';

const NONE: Totals = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };

/** The totals of accounts, in their order. */
export async function readTotals(store: MongoStore, accounts: Types.ObjectId[]): Promise<Totals[]> {
  const records = await store.run(({ totals }) => totals.find({ _id: { $in: accounts } }).lean());
  const byAccount = new Map<string, Totals>(records.map((record) => [String(record._id), record]));
  return accounts.map((account) => {
    const { clientsCount, projectsCount, licensesCount } = byAccount.get(String(account)) ?? NONE;
    return { clientsCount, projectsCount, licensesCount };
  });
}

/**
 * Counts records that a transaction adds, and checks the quotas. All such transactions of an account change its one
 * record of totals: of two that would exceed a quota together, one is retried.
 */
export async function addToTotals(
  tx: Transaction,
  account: Types.ObjectId,
  added: Partial<Totals>,
  quotas: Quotas,
): Promise<void> {
  requireWithinQuotas(quotas, await changeTotals(tx, account, added), added);
}

/** Counts records that are added or deleted in a transaction. Returns the new totals. */
export function changeTotals(
  { totals, session }: Transaction,
  account: Types.ObjectId,
  by: Partial<Totals>,
): Promise<Totals> {
  const $inc = { ...NONE, ...by };
  const options = { session, upsert: true, returnDocument: 'after' } as const;
  return totals.findOneAndUpdate({ _id: account }, { $inc }, options).lean().exec();
}

/** Deletes the totals of an account in a transaction: every other change of them conflicts with it, the first one too. */
export async function deleteTotals(tx: Transaction, account: Types.ObjectId): Promise<void> {
  // Deleting a record that does not exist would conflict with nothing.
  await changeTotals(tx, account, { clientsCount: 1 });
  await tx.totals.deleteOne({ _id: account }, { session: tx.session });
}
