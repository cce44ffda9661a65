import { createHash } from 'node:crypto';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Position } from '../shared/pagination/page.js';
import { newObjectId } from '../shared/ids/object-id.js';
import type { License } from './license.js';

export const LICENSE_EVENT_TYPES = [
  'created',
  'activated',
  'certificate_issued',
  'activation_refused',
  'renewed',
  'revoked',
  'reissued',
  'expired',
] as const;
export type LicenseEventType = (typeof LICENSE_EVENT_TYPES)[number];

/**
 * The types of events that callers can repeat without end. Of each, a license keeps the newest {@link KEPT_EVENTS},
 * and the certificate that ends last. It has at most one `renewed` for each month of its age and {@link MAX_TERM} more,
 * as a renewal adds at least a month; every other type happens to it once.
 */
export const BOUNDED_EVENT_TYPES: ReadonlySet<LicenseEventType> = new Set([
  'activation_refused',
  'certificate_issued',
]);
export const KEPT_EVENTS = 90;

/** Why an activation of a license was rejected. */
export type ActivationRejection = 'revoked' | 'expired' | 'other_machine';

/** An event of a license. */
export interface LicenseEvent {
  readonly _id: string;
  readonly license: string;
  readonly type: LicenseEventType;
  /** When it happened; for rejected activations, the last time. */
  readonly at: Date;
  /** The account that caused it; null for shipped software and for expiry. */
  readonly actor: AccountId | null;
  /** Keyed hash of the machine concerned. */
  readonly machineId: string | null;
  /** For a revocation, its reason; for rejected activations, an {@link ActivationRejection}. */
  readonly reason: string | null;
  /** How often it happened; more than once only for rejected activations. */
  readonly count: number;
  /** For the renewal of an expired license, when its term had ended: the event `expired` is derived from it. */
  readonly termEndedAt: Date | null;
  /** For a certificate: its end. */
  readonly certificateExpiresAt: Date | null;
}

type What = Pick<LicenseEvent, 'license' | 'type' | 'at'> &
  Partial<
    Pick<LicenseEvent, 'actor' | 'machineId' | 'reason' | 'termEndedAt' | 'certificateExpiresAt'>
  >;

/** An event to be stored with the change that it records. */
export function licenseEvent(what: What): LicenseEvent {
  const nothing = { actor: null, machineId: null, reason: null };
  const times = { termEndedAt: null, certificateExpiresAt: null };
  return { _id: newObjectId(), count: 1, ...nothing, ...times, ...what };
}

export function createdEvent({ _id, user, createdAt }: License): LicenseEvent {
  return licenseEvent({ license: _id, type: 'created', at: createdAt, actor: user });
}

/**
 * The event of the rejected activations of a license for one reason on one day (UTC). They share one id, so
 * that repeated attempts increase a count instead of filling the store.
 */
export function rejectedEvent(
  license: string,
  reason: ActivationRejection,
  machineId: string,
  at: Date,
): LicenseEvent {
  const day = at.toISOString().slice(0, 10);
  const what = { license, type: 'activation_refused', at, machineId, reason } as const;
  return { ...licenseEvent(what), _id: derivedId(license, reason, day) };
}

/** The event of a term's end. It is derived when events are listed, and never stored. */
export function expiredEvent(license: string, at: Date): LicenseEvent {
  const what = { license, type: 'expired', at } as const;
  return { ...licenseEvent(what), _id: derivedId(license, 'expired', at.toISOString()) };
}

/** A deterministic object id of the parts. */
function derivedId(...parts: string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 24);
}

/** Those of a license's events that it keeps; see {@link BOUNDED_EVENT_TYPES}. The oldest are first. */
export function keptEvents(events: readonly LicenseEvent[]): readonly LicenseEvent[] {
  if (events.length <= KEPT_EVENTS) return events;
  const newest = [...BOUNDED_EVENT_TYPES].flatMap((bounded) =>
    events.filter(({ type }) => type === bounded).slice(-KEPT_EVENTS),
  );
  const certificates = events.filter(({ type }) => type === 'certificate_issued');
  const end = ({ certificateExpiresAt }: LicenseEvent) => Number(certificateExpiresAt);
  const endsLast = certificates.toSorted((a, b) => end(a) - end(b)).at(-1);
  const kept = new Set([...newest, endsLast]);
  return events.filter((event) => !BOUNDED_EVENT_TYPES.has(event.type) || kept.has(event));
}

/** The order of a list of events: newest first. */
export function byTime(a: LicenseEvent, b: LicenseEvent): number {
  return b.at.getTime() - a.at.getTime() || Number(a._id < b._id) - Number(a._id > b._id);
}

/** Whether an event comes after a position in a list of events. */
export function isAfter({ time, _id }: Position, event: LicenseEvent): boolean {
  return byTime({ ...event, at: time, _id }, event) < 0;
}
