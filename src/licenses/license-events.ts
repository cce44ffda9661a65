import {
  type Actor,
  type Event,
  type EventDetails,
  EVENTS,
  type EventType,
  newEvent,
  type Subject,
} from '../events/event.js';
import { recordDaily } from '../events/daily-event.js';
import { type Change, insert } from '../storage/changes.js';
import type { Store } from '../storage/store.js';
import { maskedKey } from './license-key.service.js';
import type { License } from './license.js';
import type { Caller } from '../machines/machine.js';

type LicenseEventType = EventType extends infer T
  ? T extends `license.${infer N}`
    ? N
    : never
  : never;

/** A machine as the actor of an event. */
export const machineActor = ({ machineId, name }: Caller): Actor => ({
  type: 'machine',
  id: machineId,
  name: name ?? null,
});

/** What happens to a license; {@link licenseEvent} is the change that records it. */
export const newLicenseEvent = (
  type: LicenseEventType,
  license: License,
  at: Date,
  details?: EventDetails,
): Event => newEvent(`license.${type}`, subjectOf(license), at, details);

/** The change that records what happens to a license. */
export const licenseEvent = (...event: Parameters<typeof newLicenseEvent>): Change =>
  insert(EVENTS, newLicenseEvent(...event));

/** The same for what callers can repeat endlessly: once a day, with a count. See {@link recordDaily}. */
export const dailyLicenseEvent = (
  store: Store,
  type: LicenseEventType,
  license: License,
  distinction: string,
  at: Date,
  details?: EventDetails,
): Promise<Change> => recordDaily(store, newLicenseEvent(type, license, at, details), distinction);

/** The change that records the issue of a license. */
export function creationEvent(license: License, isInBatch = false): Change {
  const { project, client, plan, externalId, duration, days, maxMachines, replaces } = license;
  const expiresAt = license.endIsFixed ? license.expiresAt : null;
  const { updatesUntil, updatesDays } = license;
  const term = { duration, days, expiresAt, updatesUntil, updatesDays };
  const batch = isInBatch ? { batch: true } : {};
  const data = { project, client, plan, externalId, ...term, maxMachines, replaces, ...batch };
  return licenseEvent('created', license, license.createdAt, { data });
}

/** The change that records that a license has expired. */
export const expiryEvent = (license: License, at: Date, storedAt = at): Change =>
  licenseEvent('expired', license, at, { data: { expiresAt: license.expiresAt }, storedAt });

const subjectOf = (license: License): Subject => ({
  accountId: license.user,
  _id: license._id,
  name: maskedKey(license),
});
