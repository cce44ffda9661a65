import { Injectable } from '@nestjs/common';
import {
  type Actor,
  type Event,
  type EventDetails,
  type EventType,
  newEvent,
  record,
  type Subject,
} from '../events/event.js';
import { recordDaily } from '../events/daily-event.js';
import type { Change } from '../storage/changes.js';
import { Store } from '../storage/store.js';
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

/** The changes that record what happens to licenses. */
@Injectable()
export class LicenseEvents {
  constructor(private readonly store: Store) {}

  record(type: LicenseEventType, license: License, at: Date, details?: EventDetails): Change {
    return record(`license.${type}`, this.subjectOf(license), at, details);
  }

  /** An event that {@link CountedEvents} stores. */
  of(type: LicenseEventType, license: License, at: Date, details: EventDetails): Event {
    return newEvent(`license.${type}`, this.subjectOf(license), at, details);
  }

  /** Stores an event that callers can repeat endlessly: once a day, with a count. See {@link recordDaily}. */
  recordDaily(
    type: LicenseEventType,
    license: License,
    distinction: string,
    at: Date,
    details: EventDetails,
  ): Promise<Change> {
    return recordDaily(this.store, this.of(type, license, at, details), distinction);
  }

  /** The change that records the issue of a license. */
  recordCreation(license: License, isInBatch = false): Change {
    const { project, client, plan, externalId, duration, days, maxMachines, replaces } = license;
    const expiresAt = license.endIsFixed ? license.expiresAt : null;
    const { updatesUntil, updatesDays } = license;
    const term = { duration, days, expiresAt, updatesUntil, updatesDays };
    const batch = isInBatch ? { batch: true } : {};
    const data = { project, client, plan, externalId, ...term, maxMachines, replaces, ...batch };
    return this.record('created', license, license.createdAt, { data });
  }

  /** The change that records that a license has expired. */
  recordExpiry(license: License, at: Date, storedAt = at): Change {
    const { expiresAt } = license;
    return this.record('expired', license, at, { data: { expiresAt }, storedAt });
  }

  private subjectOf(license: License): Subject {
    return { accountId: license.user, _id: license._id, name: maskedKey(license) };
  }
}
