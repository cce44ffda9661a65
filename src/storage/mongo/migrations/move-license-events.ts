import { setTimeout } from 'node:timers/promises';
import type { mongo, Types } from 'mongoose';
import { bounded, mergedEvents } from '../repositories/own-events.js';
import {
  type LicenseEventRecord,
  LICENSE_EVENTS_COLLECTION,
  type OwnEventRecord,
} from '../schemas/license-event.schema.js';
import type { LicenseRecord } from '../schemas/license.schema.js';

/** Maximum of events that one transaction moves: changes of their licenses wait for it, some 50 ms. */
const MOVED_AT_ONCE = 200;

/**
 * Moves events from the collection of earlier versions to the records of their licenses, and deletes those of missing
 * licenses. It may be interrupted, run in several instances at once, and beside an earlier version that adds more.
 *
 * @param signal ends it after the current transaction
 */
export async function moveLicenseEvents(database: mongo.Db, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const begin = performance.now();
    const moved = await database.client.withSession((session) =>
      session.withTransaction(() => moveSome(database, session)),
    );
    if (moved === 0 || signal?.aborted) return;
    // Half of the time is left to requests.
    await setTimeout(performance.now() - begin);
  }
}

/** Moves the first events in one transaction. A concurrent change of one of the licenses or events conflicts with it. */
async function moveSome(database: mongo.Db, session: mongo.ClientSession): Promise<number> {
  const licenses = database.collection<LicenseRecord>('licenses');
  const collection = database.collection<LicenseEventRecord>(LICENSE_EVENTS_COLLECTION);
  const events = await collection
    .find({}, { session })
    .sort({ license: 1, at: -1, _id: -1 })
    .limit(MOVED_AT_ONCE)
    .toArray();
  if (events.length === 0) return 0;
  const owners = await licenses
    .find({ _id: { $in: events.map(({ license }) => license) } }, { session })
    .project<Pick<LicenseRecord, '_id' | 'events'>>({ events: 1 })
    .toArray();
  const updates = owners.map(({ _id, events: own = [] }) => {
    const added = events.filter(({ license }) => license.equals(_id));
    return { updateOne: { filter: { _id }, update: [withEvents(_id, own, added)] } };
  });
  if (updates.length > 0) await licenses.bulkWrite(updates, { session });
  await collection.deleteMany({ _id: { $in: events.map(({ _id }) => _id) } }, { session });
  return events.length;
}

function withEvents(
  license: Types.ObjectId,
  own: readonly OwnEventRecord[],
  added: readonly LicenseEventRecord[],
): mongo.Document {
  const merged = mergedEvents(license, own, added)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(withoutLicense);
  return { $set: { events: bounded({ $literal: merged }) } };
}

function withoutLicense(event: LicenseEventRecord): OwnEventRecord {
  const own: Partial<LicenseEventRecord> = { ...event };
  delete own.license;
  return own as OwnEventRecord;
}
