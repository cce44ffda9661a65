import { randomInt } from 'node:crypto';
import type { Event, EventType } from '../events/event.js';
import { type AccountId, newRecord } from '../shared/ids.js';
import { addDays } from '../shared/time/calendar.js';
import { setAll } from '../storage/changes.js';
import {
  collection,
  id,
  integer,
  NOT_STORED,
  type RecordOf,
  text,
  time,
} from '../storage/collection.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Why an attempt has failed. No text of a receiver or of a resolver is among them. */
export const DELIVERY_ERRORS = [
  ...(['unexpected_status', 'redirect', 'timeout', 'connection_failed', 'tls_failed'] as const),
  ...(['invalid_response', 'name_not_resolved', 'address_not_allowed'] as const),
  'webhook_disabled',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

const FIELDS = {
  _id: id(),
  accountId: id<AccountId>(),
  webhook: id(),
  /** Also the id of the message. */
  event: id(),
  type: text<EventType>(),
  status: text<(typeof DELIVERY_STATUSES)[number]>(),
  /** The term of the webhook when it was created or requested again. */
  term: integer(),
  /** Finished attempts since it was created or requested again. */
  attempts: integer(),
  lastAttemptAt: time().nullable(),
  /** Of the last attempt; null if there was no response. */
  responseStatus: integer().nullable(),
  error: text<DeliveryError>().nullable(),
  /** During an attempt, the end of its lease; null if it is not pending. */
  nextAttemptAt: time().nullable(),
  createdAt: time(),
  expiresAt: time(),
};

/** A message on its way to a webhook. */
export type Delivery = RecordOf<typeof FIELDS>;

export const DELIVERIES = collection<Delivery>('webhook_deliveries', {
  fields: FIELDS,
  unique: [['webhook', 'event']],
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
  /** The id of its event. */
  _id: id(),
  accountId: id<AccountId>(),
  /** What every attempt sends, byte for byte. */
  body: text(),
  expiresAt: time(),
};

/** An event as webhooks get it, stored once for all deliveries in the commit of the event. */
export type Message = RecordOf<typeof MESSAGE_FIELDS>;

export const MESSAGES = collection<Message>('webhook_messages', {
  fields: MESSAGE_FIELDS,
  indexes: [['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

const DELIVERY_DAYS = 30;

export const newMessage = ({ _id, accountId, storedAt }: Event, body: string): Message => ({
  _id,
  version: NOT_STORED,
  accountId,
  body,
  // Longer than its deliveries, which may be requested again.
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
  responseStatus: null,
  error: null,
  nextAttemptAt: now,
  createdAt: now,
  expiresAt: addDays(now, DELIVERY_DAYS),
});

/** A delivery that is requested again: its schedule starts over. */
export const requestedAgain = (delivery: Delivery, term: number, now: Date): Delivery => ({
  ...delivery,
  status: 'pending',
  term,
  attempts: 0,
  nextAttemptAt: now,
  // The schedule takes 31 hours at most.
  expiresAt: new Date(Math.max(delivery.expiresAt.getTime(), addDays(now, 2).getTime())),
});

/** Makes pending deliveries of a webhook due: the job fails all of them if it is disabled. */
export const dueNow = (
  { _id: webhook, accountId }: { _id: string; accountId: AccountId },
  now: Date,
) => setAll(DELIVERIES, { status: 'pending', accountId, webhook }, { nextAttemptAt: now });

/** Milliseconds for which an attempt keeps others from sending. */
const LEASE = 30_000;

export const leased = (delivery: Delivery, now: Date): Delivery => ({
  ...delivery,
  nextAttemptAt: new Date(now.getTime() + LEASE),
});

/** Milliseconds after which an attempt is slow, whatever comes of it. */
const SLOW = 1_000;

/** Whether the attempt of a lease has been in progress for so long that it is slow. */
export const isSlow = ({ nextAttemptAt }: Delivery, now: Date): boolean =>
  now.getTime() >= nextAttemptAt!.getTime() - LEASE + SLOW;

/** The fields of a delivery that has come to its end. */
export const ended = <Status extends 'delivered' | 'failed'>(status: Status) =>
  ({ status, nextAttemptAt: null }) as const;

/** The outcome of an attempt: without an error it was delivered. */
export interface Outcome {
  readonly responseStatus: number | null;
  readonly error: DeliveryError | null;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds after each attempt that fails, until the next one. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

/** A delivery after an attempt. Pauses differ by 10 %, so that deliveries which failed together do not return together. */
export function attempted(
  delivery: Delivery,
  { responseStatus, error }: Outcome,
  now: Date,
): Delivery {
  const attempts = delivery.attempts + 1;
  const after = { ...delivery, attempts, lastAttemptAt: now, responseStatus, error };
  if (!error) return { ...after, ...ended('delivered') };
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return { ...after, ...ended('failed') };
  // In milliseconds: 90 to 110 % of the seconds.
  return { ...after, nextAttemptAt: new Date(now.getTime() + pause * randomInt(900, 1_101)) };
}
