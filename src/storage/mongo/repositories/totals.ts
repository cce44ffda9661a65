import { Types } from 'mongoose';
import type { Totals } from '../../../dashboard/dashboard.js';
import type { Quotas } from '../../../shared/config/config.js';
import { isNearQuota, requireWithinQuotas } from '../../account-quotas.js';
import type { MongoStore, Transaction } from '../connection/mongo-store.js';
import { statementOptions } from '../connection/statement-deadline.js';
import type { Models } from '../schemas/models.js';
import { shardOf, type TotalsId, totalsIdsOf } from '../schemas/totals.schema.js';

/** More records than requests of one account add at the same time, on all instances together. */
const AT_ONCE = 1_000;

const NONE: Totals = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };

/** The totals of accounts, in their order. */
export function readTotals(store: MongoStore, accounts: Types.ObjectId[]): Promise<Totals[]> {
  return store.run((models) => sumTotals(models, accounts));
}

/** What conflicts with an {@link addToTotals} below the same client: the key of its transaction. */
export const creationKey = (account: string, client: string) => {
  const { shard } = shardOf(new Types.ObjectId(account), new Types.ObjectId(client));
  return `creation of ${account} in ${shard}`;
};

/**
 * Counts records that a transaction adds below a client, and checks the quotas. Transactions below different clients
 * seldom change the same shard. Near a quota all change one record: of two that would exceed it together, one is
 * retried.
 */
export async function addToTotals(
  tx: Transaction,
  account: Types.ObjectId,
  client: Types.ObjectId,
  added: Partial<Totals>,
  quotas: Quotas,
): Promise<void> {
  const [before] = await sumTotals(tx, [account]);
  const totals = {
    clientsCount: before!.clientsCount + (added.clientsCount ?? 0),
    projectsCount: before!.projectsCount + (added.projectsCount ?? 0),
    licensesCount: before!.licensesCount + (added.licensesCount ?? 0),
  };
  requireWithinQuotas(quotas, totals, added);
  const isNear = isNearQuota(quotas, totals, added, AT_ONCE);
  await changeTotals(tx, isNear ? account : shardOf(account, client), added);
}

/** Counts records that are added or deleted in a transaction. */
export async function changeTotals(
  { totals, session }: Transaction,
  _id: TotalsId,
  by: Partial<Totals>,
): Promise<void> {
  await totals.updateOne({ _id }, { $inc: { ...NONE, ...by } }, { session, upsert: true });
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
