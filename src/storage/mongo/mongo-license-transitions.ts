import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model } from 'mongoose';
import type { License } from '../../licenses/license.js';
import type { LicenseEvent } from '../../licenses/license-event.js';
import {
  storedStatusesBefore,
  type Transition,
  TRANSITIONS,
} from '../../licenses/license-transitions.js';
import { MongoLicenseEventsRepository } from './mongo-license-events.repository.js';
import { toLicense } from './schemas/license.mapper.js';
import { LicenseRecord } from './schemas/license.schema.js';
import { statementOptions } from './statement-deadline.js';

/** Makes the transitions of licenses within transactions. */
@Injectable()
export class MongoLicenseTransitions {
  constructor(
    @InjectModel(LicenseRecord.name) private readonly licenses: Model<LicenseRecord>,
    private readonly events: MongoLicenseEventsRepository,
  ) {}

  /**
   * Changes a license and stores the event that tells of it.
   *
   * @returns null where no license fits the condition, or its status does not allow the transition
   */
  async make(
    transition: Transition,
    condition: Partial<LicenseRecord>,
    changes: Partial<LicenseRecord>,
    event: LicenseEvent,
    tx: ClientSession,
  ): Promise<License | null> {
    const record = await this.licenses.collection.findOneAndUpdate(
      { ...condition, status: { $in: storedStatusesBefore(transition) } },
      { $set: { ...changes, status: TRANSITIONS[transition].to }, $inc: { eventsCount: 1 } },
      { session: tx, returnDocument: 'after', ...statementOptions() },
    );
    if (!record) return null;
    await this.events.insert(event, tx);
    return toLicense(record as unknown as LicenseRecord);
  }
}
