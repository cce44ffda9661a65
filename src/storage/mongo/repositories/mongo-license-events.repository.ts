import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { LicenseEvent } from '../../../licenses/license-event.js';
import { LicenseEventsRepository } from '../../../licenses/license-events.repository.js';
import { type Page, type PageRequest, pageOf } from '../../../shared/pagination/page.js';
import { MongoStore, type Transaction } from '../connection/mongo-store.js';
import { insertRecord } from '../connection/statement-deadline.js';
import type { Models } from '../schemas/models.js';
import {
  TELLS_OF_TERM_END,
  toLicenseEvent,
  toLicenseEventRecord,
} from '../schemas/license-event.schema.js';
import { comesAfter } from './filters.js';

/** The transaction key of an activation. Changes by the account have another key, so no activation waits for them. */
export const activationKey = (license: string) => `activation of ${license}`;

@Injectable()
export class MongoLicenseEventsRepository extends LicenseEventsRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  async list(license: string, { limit, after }: PageRequest): Promise<Page<LicenseEvent>> {
    const records = await this.store.run(({ licenseEvents }) =>
      licenseEvents
        .find({ license: new Types.ObjectId(license), ...comesAfter(after, 'at') })
        .sort({ at: -1, _id: -1 })
        .limit(limit + 1)
        .lean(),
    );
    return pageOf(records.map(toLicenseEvent), limit, ({ at, _id }) => ({ time: at, _id }));
  }

  async listTermEnds(license: string): Promise<Date[]> {
    const records = await this.store.run(({ licenseEvents }) =>
      licenseEvents
        .find({ license: new Types.ObjectId(license), ...TELLS_OF_TERM_END })
        .lean<{ termEndedAt: Date }[]>(),
    );
    return records.map(({ termEndedAt }) => termEndedAt);
  }

  async recordRejection(event: LicenseEvent): Promise<void> {
    const isCounted = await this.store.run(
      (models) => addToEarlier(models, event),
      'license check',
    );
    if (isCounted) return;
    const insertFirst = async (tx: Transaction) => {
      const { licenses, licenseEvents, session } = tx;
      if (await addToEarlier(tx, event)) return;
      // A change of the license makes two first events conflict, and a first event with the license's deletion.
      const { matchedCount } = await licenses.updateOne(
        { _id: new Types.ObjectId(event.license) },
        { $inc: { eventsCount: 1 } },
        { session },
      );
      if (matchedCount === 1) {
        await insertRecord(licenseEvents, toLicenseEventRecord(event), session);
      }
    };
    await this.store.transaction(activationKey(event.license), insertFirst, 'license check');
  }
}

async function addToEarlier(
  { licenseEvents, session }: Models & Partial<Transaction>,
  { _id, count, at, machineId }: LicenseEvent,
): Promise<boolean> {
  const { matchedCount } = await licenseEvents.updateOne(
    { _id: new Types.ObjectId(_id) },
    { $inc: { count }, $max: { at }, $set: { machineId } },
    { ...(session && { session }) },
  );
  return matchedCount === 1;
}
