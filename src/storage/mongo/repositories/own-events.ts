import type { Types } from 'mongoose';
import type { Transaction } from '../connection/mongo-store.js';
import type { Models } from '../schemas/models.js';
import type { LicenseEventRecord, OwnEventRecord } from '../schemas/license-event.schema.js';

/** The events in the record of a license; none where it is missing. */
export async function readOwnEvents(
  { licenses, session }: Models & Partial<Transaction>,
  license: Types.ObjectId,
): Promise<readonly OwnEventRecord[]> {
  const record = await licenses
    .findOne({ _id: license }, { events: 1 }, { ...(session && { session }) })
    .lean<{ events?: readonly OwnEventRecord[] } | null>();
  return record?.events ?? [];
}

/**
 * The events of a license that are in its own record and those in their collection, each once. The rejected
 * activations of one reason and day have the same id in both places, where two versions of the service have recorded
 * them: they are one event with the sum of the counts, and the time and the machine of the later one.
 */
export function mergedEvents(
  license: Types.ObjectId,
  own: readonly OwnEventRecord[],
  inCollection: readonly LicenseEventRecord[],
): LicenseEventRecord[] {
  const merged = new Map<string, LicenseEventRecord>();
  for (const event of [...own.map((each) => ({ ...each, license })), ...inCollection]) {
    const id = event._id.toHexString();
    const same = merged.get(id);
    if (!same) {
      merged.set(id, event);
      continue;
    }
    const later = event.at > same.at ? event : same;
    merged.set(id, { ...later, count: same.count + event.count });
  }
  return [...merged.values()];
}
