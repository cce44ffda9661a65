import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type ClientSession, type Model, Types } from 'mongoose';
import type { LicenseEvent } from '../../licenses/license-event.js';
import { LicenseEventsRepository } from '../../licenses/license-events.repository.js';
import { type Page, type PageRequest, pageOf } from '../../shared/pagination/page.js';
import { insertRecord } from './insert-record.js';
import { MongoStore } from './mongo-store.js';
import { comesAfter } from './positions.js';
import {
  LicenseEventRecord,
  TELLS_OF_TERM_END,
  toLicenseEvent,
  toLicenseEventRecord,
} from './schemas/license-event.schema.js';
import { LicenseRecord } from './schemas/license.schema.js';

/**
 * The key of the transactions of activations of a license. Not that of its owner's changes of it, so that no
 * license check waits behind other work.
 */
export const activationKey = (license: string) => `activation of ${license}`;

@Injectable()
export class MongoLicenseEventsRepository extends LicenseEventsRepository {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(LicenseRecord.name) private readonly licenses: Model<LicenseRecord>,
    @InjectModel(LicenseEventRecord.name) private readonly events: Model<LicenseEventRecord>,
  ) {
    super();
  }

  async list(license: string, { limit, after }: PageRequest): Promise<Page<LicenseEvent>> {
    const records = await this.store.run(() =>
      this.events
        .find({ license: new Types.ObjectId(license), ...comesAfter(after, 'at') })
        .sort({ at: -1, _id: -1 })
        .limit(limit + 1)
        .lean(),
    );
    return pageOf(records.map(toLicenseEvent), limit, ({ at, _id }) => ({ time: at, _id }));
  }

  async listTermEnds(license: string): Promise<Date[]> {
    const records = await this.store.run(() =>
      this.events
        .find({ license: new Types.ObjectId(license), ...TELLS_OF_TERM_END })
        .lean<{ termEndedAt: Date }[]>(),
    );
    return records.map(({ termEndedAt }) => termEndedAt);
  }

  async recordRejection(event: LicenseEvent): Promise<void> {
    if (await this.store.run(() => this.addToEarlier(event), 'license check')) return;
    const insertFirst = async (tx: ClientSession) => {
      if (await this.addToEarlier(event, tx)) return;
      // Two that are the first, and the first and the deletion of its license, change the license.
      const { matchedCount } = await this.licenses.updateOne(
        { _id: new Types.ObjectId(event.license) },
        { $inc: { eventsCount: 1 } },
        { session: tx },
      );
      if (matchedCount === 1) await this.insert(event, tx);
    };
    await this.store.transaction(activationKey(event.license), insertFirst, 'license check');
  }

  /** Stores an event within the transaction that counts it in its license. */
  async insert(event: LicenseEvent, tx: ClientSession): Promise<void> {
    await insertRecord(this.events, toLicenseEventRecord(event), tx);
  }

  private async addToEarlier(
    { _id, count, at, machineId }: LicenseEvent,
    tx: ClientSession | null = null,
  ): Promise<boolean> {
    const { matchedCount } = await this.events
      .updateOne(
        { _id: new Types.ObjectId(_id) },
        { $inc: { count }, $max: { at }, $set: { machineId } },
      )
      .session(tx);
    return matchedCount === 1;
  }
}
