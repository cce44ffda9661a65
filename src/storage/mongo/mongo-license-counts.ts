import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import type { DayCount, LicenseCounts } from '../../dashboard/dashboard.js';
import type { CountQuery } from '../../dashboard/dashboard.repository.js';
import { DAY_MS } from '../../shared/time/days.js';
import { hasStatus } from './license-filters.js';
import { MongoStore } from './mongo-store.js';
import { LicenseRecord } from './schemas/license.schema.js';

/** The days since 1970, UTC; the operators for calendars take more than twice as long. */
const DAY_OF_ACTIVATION = {
  $floor: { $divide: [{ $subtract: ['$activatedAt', new Date(0)] }, DAY_MS] },
};

/** Counts the licenses of users, by indexes alone. */
@Injectable()
export class MongoLicenseCounts {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(LicenseRecord.name) private readonly licenses: Model<LicenseRecord>,
  ) {}

  async count(
    user: Types.ObjectId,
    { now, expiringBy, activatedSince }: CountQuery,
  ): Promise<LicenseCounts> {
    const count = (condition: object) =>
      this.store.run(() => this.licenses.countDocuments({ user, ...condition }));
    const expiringAt = (by: Date) => count({ status: 'ACTIVE', expiresAt: { $gt: now, $lte: by } });
    const [pending, active, expired, revoked, activations, ...expiring] = await Promise.all([
      count(hasStatus('PENDING', now)),
      count(hasStatus('ACTIVE', now)),
      count(hasStatus('EXPIRED', now)),
      count(hasStatus('REVOKED', now)),
      this.countActivations(user, activatedSince),
      ...expiringBy.map(expiringAt),
    ]);
    return { pending, active, expired, revoked, expiringBy: expiring, activations };
  }

  private async countActivations(user: Types.ObjectId, since: Date): Promise<DayCount[]> {
    const days = await this.store.run(() =>
      this.licenses.aggregate<{ _id: number; count: number }>([
        { $match: { user, activatedAt: { $gte: since } } },
        { $group: { _id: DAY_OF_ACTIVATION, count: { $sum: 1 } } },
        { $sort: { _id: 1 } },
      ]),
    );
    return days.map(({ _id, count }) => ({
      date: new Date(_id * DAY_MS).toISOString().slice(0, 10),
      count,
    }));
  }
}
