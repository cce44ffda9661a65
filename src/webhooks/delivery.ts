import { randomInt } from 'node:crypto';
import type { Event, EventType } from '../events/event.js';
import { type AccountId, newRecord } from '../shared/ids.js';
import { addDays } from '../shared/time/calendar.js';
import { type Change, type Insert, insert, setAll } from '../storage/changes.js';
import { collection, field, NOT_STORED, type RecordOf } from '../storage/collection.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Why an attempt failed. */
export const DELIVERY_ERRORS = [
  ...(['unexpected_status', 'redirect', 'timeout', 'connection_failed', 'tls_failed'] as const),
  ...(['invalid_response', 'name_not_resolved', 'address_not_allowed'] as const),
  'webhook_disabled',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

const FIELDS = {
  _id: field.id(),
  accountId: field.id<AccountId>(),
  webhook: field.id(),
  /** The id of the message. */
  event: field.id(),
  type: field.text<EventType>(),
  status: field.text<(typeof DELIVERY_STATUSES)[number]>(),
  /** The webhook's term when the delivery was created or requested again. */
  term: field.integer(),
  /** The number of finished attempts since it was created or requested again. */
  attempts: field.integer(),
  lastAttemptAt: field.time().nullable(),
  /** The last {@link MAX_LOGGED} attempts, oldest first, including those before it was requested again. */
  attemptLog: field.json<readonly Attempt[]>(),
  /** The status of the last attempt; null if there was no response. */
  responseStatus: field.integer().nullable(),
  error: field.text<DeliveryError>().nullable(),
  /** During an attempt, when its lease expires; null unless pending. */
  nextAttemptAt: field.time().nullable(),
  createdAt: field.time(),
  expiresAt: field.time(),
};

/** A message on its way to a webhook. */
export type Delivery = RecordOf<typeof FIELDS>;

export const DELIVERIES = collection<Delivery>('webhook_deliveries', {
  fields: FIELDS,
  unique: [['event', 'webhook']],
  indexes: [
    ['status', 'accountId', '_id'],
    ['accountId', 'status', 'webhook', '_id'],
    ['accountId', 'webhook', 'status', 'createdAt', '_id'],
    ['webhook', 'nextAttemptAt', '_id'],
    ['nextAttemptAt', '_id'],
    ['accountId', 'webhook', 'createdAt', '_id'],
    ['expiresAt'],
  ],
  account: 'accountId',
  expires: 'expiresAt',
});

const MESSAGE_FIELDS = {
  /** The id of the event. */
  _id: field.id(),
  accountId: field.id<AccountId>(),
  /** The client that the body may name, so that its name can be erased. */
  client: field.id().nullable(),
  /** The body that every attempt sends, byte for byte. */
  body: field.text(),
  expiresAt: field.time(),
};

/** An event as webhooks receive it, stored once for all deliveries in the same commit as the event. */
export type Message = RecordOf<typeof MESSAGE_FIELDS>;

export const MESSAGES = collection<Message>('webhook_messages', {
  fields: MESSAGE_FIELDS,
  indexes: [['accountId', 'client', '_id'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

const DELIVERY_DAYS = 30;

export const newMessage = (
  { _id, accountId, storedAt }: Event,
  body: string,
  client: string | null = null,
): Message => ({
  _id,
  version: NOT_STORED,
  accountId,
  client,
  body,
  // Outlives its deliveries, because they can be requested again.
  expiresAt: addDays(storedAt, 2 * DELIVERY_DAYS),
});

export const newDelivery = (
  { _id: webhook, accountId, term }: { _id: string; accountId: AccountId; term: number },
  { _id: event, type }: { _id: string; type: EventType },
  now: Date,
): Delivery => ({
  ...newRecord(),
  accountId,
  webhook,
  event,
  type,
  status: 'pending',
  term,
  attempts: 0,
  lastAttemptAt: null,
  attemptLog: [],
  responseStatus: null,
  error: null,
  nextAttemptAt: now,
  createdAt: now,
  expiresAt: addDays(now, DELIVERY_DAYS),
});

/** A delivery requested again; its schedule restarts. */
export const requeued = (delivery: Delivery, term: number, now: Date): Delivery => ({
  ...delivery,
  status: 'pending',
  term,
  attempts: 0,
  nextAttemptAt: now,
  // The schedule takes at most 31 hours.
  expiresAt: new Date(Math.max(delivery.expiresAt.getTime(), addDays(now, 2).getTime())),
});

/** A delivery without the receivers' responses. */
export const withoutResponses = (delivery: Delivery): Delivery => ({
  ...delivery,
  attemptLog: delivery.attemptLog.map((attempt) => ({ ...attempt, response: null })),
});

/** Maximum number of deliveries that one commit inserts, changes or removes, so that the commits of other accounts wait briefly. */
export const DELIVERIES_PER_COMMIT = 100;

const FAN_OUT_FIELDS = {
  _id: field.id(),
  accountId: field.id<AccountId>(),
  deliveries: field.json<readonly Delivery[]>(),
};

/** Deliveries of a large commit, stored with it. {@link FanOuts} then inserts them. */
export type FanOut = RecordOf<typeof FAN_OUT_FIELDS>;

export const FAN_OUTS = collection<FanOut>('webhook_fan_outs', {
  fields: FAN_OUT_FIELDS,
  indexes: [['accountId', '_id']],
  account: 'accountId',
});

/** Changes whose deliveries, if there are too many for one commit, are stored as fan-outs of one account. */
export function withFanOuts(changes: readonly Change[]): readonly Change[] {
  const isDelivery = (change: Change): change is Insert =>
    change.kind === 'insert' && change.collection === DELIVERIES;
  const deliveries = changes.filter(isDelivery).map(({ record }) => record as Delivery);
  if (deliveries.length <= DELIVERIES_PER_COMMIT) return changes;
  const { accountId } = deliveries[0]!;
  const fanOuts: Change[] = [];
  for (let first = 0; first < deliveries.length; first += DELIVERIES_PER_COMMIT) {
    const part = deliveries.slice(first, first + DELIVERIES_PER_COMMIT);
    fanOuts.push(insert(FAN_OUTS, { ...newRecord(), accountId, deliveries: part }));
  }
  return [...changes.filter((change) => !isDelivery(change)), ...fanOuts];
}

/** Makes some of a webhook's pending deliveries due. If it is disabled, the job then fails all of them. */
export const dueNow = (
  { _id: webhook, accountId }: { _id: string; accountId: AccountId },
  now: Date,
) =>
  setAll(
    DELIVERIES,
    { status: 'pending', accountId, webhook },
    { nextAttemptAt: now },
    DELIVERIES_PER_COMMIT,
  );

/** How long an attempt holds its lease, in milliseconds. */
const LEASE = 30_000;

export const leased = (delivery: Delivery, now: Date): Delivery => ({
  ...delivery,
  nextAttemptAt: new Date(now.getTime() + LEASE),
});

/** After this many milliseconds an attempt is slow, whatever its outcome. */
const SLOW = 1_000;

/** When the attempt of a lease started. */
const startOf = ({ nextAttemptAt }: Delivery): number => nextAttemptAt!.getTime() - LEASE;

/** Whether the attempt of a lease has been in progress long enough to be slow. */
export const isSlow = (lease: Delivery, now: Date): boolean =>
  now.getTime() >= startOf(lease) + SLOW;

/** The fields of a finished delivery. */
export const finishedFields = <Status extends 'delivered' | 'failed'>(status: Status) =>
  ({ status, nextAttemptAt: null }) as const;

/** The outcome of an attempt; without an error, it was delivered. */
export interface Outcome {
  readonly responseStatus: number | null;
  /** The beginning of the body of the response, as text; null if there was no response. */
  readonly response: string | null;
  readonly error: DeliveryError | null;
}

/** A finished attempt. */
export interface Attempt extends Outcome {
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** How many attempts a delivery remembers. */
const MAX_LOGGED = 10;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Pause after each failed attempt, in seconds. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

/**
 * A leased delivery after its attempt. Pauses vary by 10 %, so deliveries that failed together do not retry
 * together.
 */
export function attempted(lease: Delivery, outcome: Outcome, now: Date): Delivery {
  const { responseStatus, error } = outcome;
  const attempts = lease.attempts + 1;
  const attempt = { startedAt: new Date(startOf(lease)), endedAt: now, ...outcome };
  const attemptLog = [...lease.attemptLog, attempt].slice(-MAX_LOGGED);
  const after = { ...lease, attempts, lastAttemptAt: now, attemptLog, responseStatus, error };
  if (!error) return { ...after, ...finishedFields('delivered') };
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return { ...after, ...finishedFields('failed') };
  // In milliseconds: 90 to 110 % of the seconds.
  return { ...after, nextAttemptAt: new Date(now.getTime() + pause * randomInt(900, 1_101)) };
}
