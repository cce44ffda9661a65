import type { mongo, Types } from 'mongoose';
import {
  BOUNDED_EVENT_TYPES,
  KEPT_EVENTS,
  type LicenseEvent,
} from '../../../licenses/license-event.js';
import type { Transaction } from '../connection/mongo-store.js';
import type { LicenseRecord } from '../schemas/license.schema.js';
import type { Models } from '../schemas/models.js';
import {
  type LicenseEventRecord,
  type OwnEventRecord,
  toOwnEventRecord,
} from '../schemas/license-event.schema.js';

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

/** The update of a license that sets fields and adds events. */
export function updateWithEvents(
  fields: Partial<LicenseRecord>,
  events: readonly LicenseEvent[],
): mongo.Document | mongo.Document[] {
  const added = events.map(toOwnEventRecord);
  if (!events.some(({ type }) => BOUNDED_EVENT_TYPES.has(type))) {
    return { $set: fields, $push: { events: { $each: added } } };
  }
  // Only a pipeline can bound a type of events. It costs the server a sixth more.
  const values = Object.entries<unknown>(fields).map(
    ([name, value]) => [name, { $literal: value }] as const,
  );
  return [{ $set: { ...Object.fromEntries(values), events: bounded(withAdded(added)) } }];
}

/** The update of a license that adds rejected activations: to the event of the same id, if there is one. */
export function updateWithRejection(event: LicenseEvent): mongo.Document[] {
  const rejection = toOwnEventRecord(event);
  const isSame = { $eq: ['$$this._id', rejection._id] };
  const counted = {
    count: { $add: ['$$this.count', rejection.count] },
    at: { $max: ['$$this.at', rejection.at] },
    machineId: { $literal: rejection.machineId },
  };
  const merged = { $cond: [isSame, { $mergeObjects: ['$$this', counted] }, '$$this'] };
  const events = {
    $cond: {
      if: { $in: [rejection._id, { $ifNull: ['$events._id', []] }] },
      then: { $map: { input: '$events', in: merged } },
      else: bounded(withAdded([rejection])),
    },
  };
  return [{ $set: { events } }];
}

const withAdded = (events: readonly OwnEventRecord[]) => ({
  $concatArrays: [{ $ifNull: ['$events', []] }, { $literal: events }],
});

/** An expression for the events that a license keeps: see {@link BOUNDED_EVENT_TYPES}. The newest are at the end. */
export function bounded(events: object): mongo.Document {
  const idsOf = (condition: object) => ({
    $map: { input: { $filter: { input: '$$all', cond: condition } }, in: '$$this._id' },
  });
  const types = [...BOUNDED_EVENT_TYPES];
  const newest = types.map((type) => ({
    $slice: [idsOf({ $eq: ['$$this.type', type] }), -KEPT_EVENTS],
  }));
  const lastEnd = { $max: '$$all.certificateExpiresAt' };
  const endLast = { $eq: ['$$this.certificateExpiresAt', '$$lastEnd'] };
  const last = { $slice: [idsOf({ $and: ['$$lastEnd', endLast] }), -1] };
  const isKept = {
    $or: [{ $not: [{ $in: ['$$this.type', types] }] }, { $in: ['$$this._id', '$$kept'] }],
  };
  return nested([{ all: events }, { lastEnd }, { kept: { $concatArrays: [...newest, last] } }], {
    $filter: { input: '$$all', cond: isKept },
  });
}

/** An expression with variables, each of which may use those before it. */
const nested = (variables: readonly object[], result: object): mongo.Document =>
  variables.reduceRight<mongo.Document>((inner, vars) => ({ $let: { vars, in: inner } }), result);
