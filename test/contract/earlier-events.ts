import { mongo } from 'mongoose';
import type { LicenseEvent } from '../../src/licenses/license-event.js';
import { toOwnEventRecord } from '../../src/storage/mongo/schemas/license-event.schema.js';

/** An event as earlier versions stored it on MongoDB: in a collection of its own. */
export const toLicenseEventRecord = (event: LicenseEvent) => ({
  ...toOwnEventRecord(event),
  license: new mongo.ObjectId(event.license),
});
