import type { mongo } from 'mongoose';
import { inSteps } from './in-steps.js';

/** Licenses whose events are moved in one transaction. */
const LICENSES = 100;

/** An event as 0.5 stores it. */
interface Event {
  readonly _id: mongo.ObjectId;
  readonly type: string;
  readonly at: Date;
  readonly count: number;
  readonly actor?: mongo.ObjectId | null;
  readonly machineId?: string | null;
  readonly reason?: string | null;
  readonly certificateExpiresAt?: Date | null;
}

interface License {
  readonly _id: mongo.ObjectId;
  readonly user: mongo.ObjectId;
  readonly events?: readonly Event[];
}

/** Moves events from their licenses, and from the collection in which early versions stored them, into one collection. */
export async function moveEvents(database: mongo.Db): Promise<void> {
  const licenses = database.collection<License>('licenses');
  const events = database.collection('events');
  const earlier = database.collection<Event & { readonly license: mongo.ObjectId }>(
    'license_events',
  );
  await inSteps(database, 'licenses', LICENSES, async (ids, session) => {
    const options = { session };
    const others = await earlier.find({ license: { $in: ids } }, options).toArray();
    const owners = await licenses.find({ _id: { $in: ids } }, options).toArray();
    const records = owners.flatMap(({ _id: license, user: accountId, events: own = [] }) => {
      const all = merged([...own, ...others.filter((event) => event.license.equals(license))]);
      return all.map((event) => moved(event, license, accountId));
    });
    if (records.length > 0) await events.insertMany(records, options);
    await licenses.updateMany({ _id: { $in: ids } }, { $unset: { events: '' } }, options);
    await earlier.deleteMany({ license: { $in: ids } }, options);
  });
}

/** An event as this version stores it. */
function moved(
  { _id, type, at, count, actor, machineId, reason, certificateExpiresAt }: Event,
  subject: mongo.ObjectId,
  accountId: mongo.ObjectId,
) {
  const data = Object.entries({ reason, machineId, certificateExpiresAt });
  return {
    ...{ _id, accountId, at, lastAt: null, count, subject, subjectName: null, version: 1 },
    type: `license.${type === 'activation_refused' ? 'activation_rejected' : type}`,
    actorType: actor ? 'user' : machineId ? 'machine' : 'system',
    actor: actor ? actor.toHexString() : (machineId ?? null),
    actorName: null,
    data: Object.fromEntries(data.filter(([, value]) => value !== null && value !== undefined)),
    requestId: null,
    storedAt: at,
  };
}

/**
 * Each event once. The rejected activations of one reason and day have the same id in both places, where two versions have
 * recorded them: they are one event with the sum of the counts, and the time and the machine of the later one.
 */
function merged(events: readonly Event[]): Event[] {
  const byId = new Map<string, Event>();
  for (const event of events) {
    const same = byId.get(String(event._id));
    const later = same && same.at > event.at ? same : event;
    byId.set(String(event._id), { ...later, count: event.count + (same?.count ?? 0) });
  }
  return [...byId.values()];
}
