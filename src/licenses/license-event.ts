import { createHash } from 'node:crypto';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Position } from '../shared/pagination/page.js';
import { newRecord } from '../shared/ids/object-id.js';
import { collection, id, integer, type RecordOf, text, time } from '../storage/collection.js';
import type { License } from './license.js';

export const LICENSE_EVENT_TYPES = [
  'created',
  'activated',
  'certificate_issued',
  'activation_rejected',
  'machine_released',
  'updated',
  'renewed',
  'suspended',
  'resumed',
  'revoked',
  'reissued',
  'expired',
] as const;
export type LicenseEventType = (typeof LICENSE_EVENT_TYPES)[number];

/**
 * The number of events of a type that a license keeps, where they can be repeated without end: the newest, and the certificate that ends
 * last.
 */
export const KEPT_EVENTS = 90;

/** Why an activation is rejected: the license may not be used, or no place is free for the machine. */
export const ACTIVATION_REJECTIONS = [
  'revoked',
  'suspended',
  'expired',
  'other_machine',
  'machine_limit',
  'trial_used',
] as const;
export type ActivationRejection = (typeof ACTIVATION_REJECTIONS)[number];

const FIELDS = {
  _id: id(),
  accountId: id<AccountId>(),
  license: id(),
  project: id(),
  type: text<LicenseEventType>(),
  /** When it happened; the last time where it is counted. */
  at: time(),
  /** The account that caused it; null for shipped software and for expiry. */
  actor: id<AccountId>().nullable(),
  /** Keyed hash of the machine concerned. */
  machineId: text().nullable(),
  /** For a revocation, its reason; for rejected activations, an {@link ActivationRejection}. */
  reason: text().nullable(),
  /** How often it happened on its day: rejected activations, and floating places, are one event a day. */
  count: integer(),
  /** For the renewal of an expired license, when its term had ended: the event `expired` is derived from it. */
  termEndedAt: time().nullable(),
  /** For a certificate: its end; for a released machine, the end of those that it has. */
  certificateExpiresAt: time().nullable(),
};

export type LicenseEvent = RecordOf<typeof FIELDS>;

export const EVENTS = collection<LicenseEvent>('events', {
  fields: FIELDS,
  indexes: [
    ['license', 'type', 'at', '_id'],
    ['license', 'at', '_id'],
    ['accountId', 'at', '_id'],
    ['project'],
  ],
  account: 'accountId',
});

type Details = Partial<
  Pick<LicenseEvent, 'actor' | 'machineId' | 'reason' | 'termEndedAt' | 'certificateExpiresAt'>
>;

/** An event to be stored with the change that it records. */
export const licenseEvent = (
  { _id: license, user: accountId, project }: Pick<License, '_id' | 'user' | 'project'>,
  type: LicenseEventType,
  at: Date,
  details: Details = {},
): LicenseEvent => ({
  ...newRecord(),
  accountId,
  license,
  project,
  type,
  at,
  actor: null,
  machineId: null,
  reason: null,
  count: 1,
  termEndedAt: null,
  certificateExpiresAt: null,
  ...details,
});

export const createdEvent = (license: License): LicenseEvent =>
  licenseEvent(license, 'created', license.createdAt, { actor: license.user });

/**
 * The event of the rejected activations of a license for one reason on one day (UTC). They share one id, so
 * that repeated attempts increase a count instead of filling the store.
 */
export function rejectedEvent(
  license: License,
  reason: ActivationRejection,
  machineId: string,
  at: Date,
): LicenseEvent {
  const event = licenseEvent(license, 'activation_rejected', at, { machineId, reason });
  return { ...event, _id: derivedId(license._id, reason, dayOf(at)) };
}

/** The event of what a machine does with a floating place on one day (UTC), likewise. */
export function floatingEvent(
  license: License,
  type: 'activated' | 'machine_released',
  machineId: string,
  at: Date,
): LicenseEvent {
  const event = licenseEvent(license, type, at, { machineId });
  return { ...event, _id: derivedId(license._id, type, machineId, dayOf(at)) };
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** A stored event of a day after it has happened once more. */
export const countedAgain = (stored: LicenseEvent, { at, machineId }: LicenseEvent) => ({
  ...stored,
  at: at > stored.at ? at : stored.at,
  machineId,
  count: stored.count + 1,
});

/** The event of a term's end. It is derived when events are listed, and never stored. */
export function expiredEvent(license: License, at: Date): LicenseEvent {
  const _id = derivedId(license._id, 'expired', at.toISOString());
  return { ...licenseEvent(license, 'expired', at), _id };
}

/** A deterministic object id of the parts. */
function derivedId(...parts: string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 24);
}

/**
 * The stored events that a license no longer keeps once another is added; see {@link KEPT_EVENTS}.
 *
 * @param stored all of the added one's type
 */
export function eventsToDrop(stored: readonly LicenseEvent[], added: LicenseEvent): LicenseEvent[] {
  const newestFirst = [...stored, added].sort(byTime);
  const end = ({ certificateExpiresAt }: LicenseEvent) => Number(certificateExpiresAt);
  const endsLast = newestFirst.toSorted((a, b) => end(b) - end(a))[0]!;
  return newestFirst.slice(KEPT_EVENTS).filter((event) => event !== added && event !== endsLast);
}

/** The order of a list of events: newest first. */
export function byTime(a: LicenseEvent, b: LicenseEvent): number {
  return b.at.getTime() - a.at.getTime() || Number(a._id < b._id) - Number(a._id > b._id);
}

/** Whether an event comes after a position in a list of events. */
export function isAfter({ time, _id }: Position, event: LicenseEvent): boolean {
  return byTime({ ...event, at: time, _id }, event) < 0;
}
