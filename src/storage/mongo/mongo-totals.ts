import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import type { Totals } from '../../dashboard/dashboard.js';
import { Config } from '../../shared/config/config.js';
import { requireWithinQuotas } from '../account-quotas.js';
import { MongoStore } from './mongo-store.js';
import { TotalsRecord } from './schemas/totals.schema.js';

const NONE: Totals = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };

/** How many records each user has. */
@Injectable()
export class MongoTotals {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(TotalsRecord.name) private readonly totals: Model<TotalsRecord>,
    private readonly config: Config,
  ) {}

  async of(user: Types.ObjectId): Promise<Totals> {
    const record = await this.store.run(() => this.totals.findOne({ _id: user }).lean());
    return toTotals(record);
  }

  /** Those of several users, in their order. */
  async ofAll(users: Types.ObjectId[]): Promise<Totals[]> {
    const records = await this.store.run(() => this.totals.find({ _id: { $in: users } }).lean());
    const byUser = new Map(records.map((record) => [String(record._id), record]));
    return users.map((user) => toTotals(byUser.get(String(user))));
  }

  /**
   * Counts records that come or go in a transaction. All such transactions of a user change this one
   * record: their subject is the user. So of those that would pass a quota together, one begins anew.
   *
   * @throws DomainError CLIENT_QUOTA_REACHED, PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED
   */
  async change(user: Types.ObjectId, by: Partial<Totals>, tx: ClientSession): Promise<void> {
    const $inc = { ...NONE, ...by };
    const options = { session: tx, upsert: true, returnDocument: 'after' } as const;
    const totals = await this.totals.findOneAndUpdate({ _id: user }, { $inc }, options).lean();
    requireWithinQuotas(this.config.quotas, totals, by);
  }

  /** Deletes the record of a user in a transaction: a change of it meanwhile is a conflict, the first one too. */
  async remove(user: Types.ObjectId, tx: ClientSession): Promise<void> {
    // To delete a record that is not there would be no change.
    await this.change(user, { clientsCount: 1 }, tx);
    await this.totals.deleteOne({ _id: user }, { session: tx });
  }
}

function toTotals(record: Totals | null | undefined): Totals {
  const { clientsCount, projectsCount, licensesCount } = record ?? NONE;
  return { clientsCount, projectsCount, licensesCount };
}
