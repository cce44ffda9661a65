import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { byTime, isAfter, type LicenseEvent } from '../../../licenses/license-event.js';
import { LicenseEventsRepository } from '../../../licenses/license-events.repository.js';
import { type Page, type PageRequest, pageOf } from '../../../shared/pagination/page.js';
import { MongoStore } from '../connection/mongo-store.js';
import { statementOptions } from '../connection/statement-deadline.js';
import { TELLS_OF_TERM_END, toLicenseEvent } from '../schemas/license-event.schema.js';
import { readDeletedProjects } from './deleted-projects.js';
import { comesAfter } from './filters.js';
import { mergedEvents, readOwnEvents, updateWithRejection } from './own-events.js';

@Injectable()
export class MongoLicenseEventsRepository extends LicenseEventsRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  async list(license: string, { limit, after }: PageRequest): Promise<Page<LicenseEvent>> {
    const _id = new Types.ObjectId(license);
    // One snapshot of both places: an event may be moved from the collection to the license at any time.
    const records = await this.store.transaction(`events of ${license}`, async (tx) => {
      const { licenseEvents, session } = tx;
      const own = await readOwnEvents(tx, _id);
      const ids = own.map((event) => event._id);
      const sameIds = await licenseEvents.find({ _id: { $in: ids } }, null, { session }).lean();
      const others = await licenseEvents
        .find({ license: _id, _id: { $nin: ids }, ...comesAfter(after, 'at') }, null, { session })
        .sort({ at: -1, _id: -1 })
        .limit(limit + 1)
        .lean();
      return mergedEvents(_id, own, [...sameIds, ...others]);
    });
    const shown = (await this.isShown(license)) ? records : [];
    const events = shown
      .map(toLicenseEvent)
      .filter((event) => !after || isAfter(after, event))
      .sort(byTime);
    return pageOf(events, limit, ({ at, _id }) => ({ time: at, _id }));
  }

  async listTermEnds(license: string): Promise<Date[]> {
    const _id = new Types.ObjectId(license);
    // First in the collection: an event that is moved meanwhile is found twice, and never missing.
    const inCollection = await this.store.run(({ licenseEvents }) =>
      licenseEvents.find({ license: _id, ...TELLS_OF_TERM_END }, { termEndedAt: 1 }).lean(),
    );
    const own = await this.store.run((models) => readOwnEvents(models, _id));
    const shown = (await this.isShown(license)) ? [...inCollection, ...own] : [];
    return shown.flatMap(({ termEndedAt }) => (termEndedAt ? [termEndedAt] : []));
  }

  async recordRejection(event: LicenseEvent): Promise<void> {
    const _id = new Types.ObjectId(event.license);
    await this.store.run(
      ({ licenses }) =>
        licenses.collection.updateOne({ _id }, updateWithRejection(event), statementOptions()),
      'license check',
    );
  }

  /** Whether a license is stored and not of a deleted project: if so, all its events were there before this call. */
  private async isShown(license: string): Promise<boolean> {
    const deleted = await this.store.run((models) => readDeletedProjects(models));
    const shown = {
      _id: new Types.ObjectId(license),
      project: { $nin: deleted.map(({ _id }) => _id) },
    };
    return (await this.store.run(({ licenses }) => licenses.exists(shown))) !== null;
  }
}
