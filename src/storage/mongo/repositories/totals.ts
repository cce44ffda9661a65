import type { Types } from 'mongoose';
import type { Totals } from '../../../dashboard/dashboard.js';
import type { Quotas } from '../../../shared/config/config.js';
import { requireWithinQuotas } from '../../account-quotas.js';
import type { MongoStore, Transaction } from '../connection/mongo-store.js';
import { statementOptions } from '../connection/statement-deadline.js';
import type { Models } from '../schemas/models.js';
import { totalsIdsOf } from '../schemas/totals.schema.js';

const NONE: Totals = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };

/** The totals of accounts, in their order. */
export function readTotals(store: MongoStore, accounts: Types.ObjectId[]): Promise<Totals[]> {
  return store.run((models) => sumTotals(models, accounts));
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
  await changeTotals(tx, account, added);
  const [totals] = await sumTotals(tx, [account]);
  requireWithinQuotas(quotas, totals!, added);
}

/** Counts records that are added or deleted in a transaction. */
export async function changeTotals(
  { totals, session }: Transaction,
  account: Types.ObjectId,
  by: Partial<Totals>,
): Promise<void> {
  await totals.updateOne({ _id: account }, { $inc: { ...NONE, ...by } }, { session, upsert: true });
}

/** Deletes the totals of an account in a transaction: every other change of them conflicts with it, the first one too. */
export async function deleteTotals(
  { totals, session }: Transaction,
  account: Types.ObjectId,
): Promise<void> {
  const ids = totalsIdsOf(account);
  // Deleting a record that does not exist would conflict with nothing.
  const update = { $inc: { ...NONE, clientsCount: 1 } };
  await totals.collection.bulkWrite(
    ids.map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } })),
    { session, ...statementOptions() },
  );
  await totals.deleteMany({ _id: { $in: ids } }, { session });
}

async function sumTotals(
  { totals, session }: Models & Partial<Transaction>,
  accounts: readonly Types.ObjectId[],
): Promise<Totals[]> {
  const sums = await totals.aggregate<Totals & { _id: Types.ObjectId }>(
    [
      { $match: { _id: { $in: accounts.flatMap(totalsIdsOf) } } },
      {
        $group: {
          _id: { $ifNull: ['$_id.account', '$_id'] },
          clientsCount: { $sum: '$clientsCount' },
          projectsCount: { $sum: '$projectsCount' },
          licensesCount: { $sum: '$licensesCount' },
        },
      },
    ],
    session && { session },
  );
  const byAccount = new Map(sums.map(({ _id, ...sum }) => [String(_id), sum]));
  return accounts.map((account) => byAccount.get(String(account)) ?? NONE);
}
