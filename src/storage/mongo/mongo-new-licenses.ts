import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model } from 'mongoose';
import type { License } from '../../licenses/license.js';
import type { LicenseEvent } from '../../licenses/license-event.js';
import { insertRecord } from './insert-record.js';
import { MongoLicenseEventsRepository } from './mongo-license-events.repository.js';
import { toLicenseRecord } from './schemas/license.mapper.js';
import { LicenseRecord } from './schemas/license.schema.js';

/** Stores new licenses within the transactions of which they are a part. */
@Injectable()
export class MongoNewLicenses {
  constructor(
    @InjectModel(LicenseRecord.name) private readonly licenses: Model<LicenseRecord>,
    private readonly events: MongoLicenseEventsRepository,
  ) {}

  /**
   * Stores a license with the event of its creation; counting it in its project is the caller's part.
   *
   * @throws MongoServerError a duplicate of `keyHash` where another license has the key
   */
  async insert(license: License, created: LicenseEvent, tx: ClientSession): Promise<void> {
    await insertRecord(this.licenses, toLicenseRecord(license), tx);
    await this.events.insert(created, tx);
  }
}
