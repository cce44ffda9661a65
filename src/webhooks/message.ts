import type { Event, EventType } from '../events/event.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { addDays } from '../shared/time/days.js';
import { collection, id, NOT_STORED, type RecordOf, text, time } from '../storage/collection.js';
import { DELIVERY_DAYS } from './delivery.js';

const FIELDS = {
  /** That of its event. */
  _id: id(),
  accountId: id<AccountId>(),
  type: text<EventType>(),
  /** Of a test, the one webhook that gets it. */
  only: id().nullable(),
  /** What every attempt sends, byte for byte. */
  body: text(),
  status: text<'pending' | 'handed_on'>(),
  createdAt: time(),
  expiresAt: time(),
};

/** An event as webhooks get it, stored in the commit of the event; pending until each webhook has its delivery. */
export type Message = RecordOf<typeof FIELDS>;

export const MESSAGES = collection<Message>('webhook_messages', {
  fields: FIELDS,
  indexes: [['status', 'accountId', '_id'], ['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

/** Maximum of bytes of a body: a larger one goes without the license. */
export const MAX_BODY = 64 * 1024;

export const newMessage = (event: Event, body: string): Message => ({
  _id: event._id,
  version: NOT_STORED,
  accountId: event.accountId,
  type: event.type,
  body,
  only: event.type === 'webhook.test' ? event.subject : null,
  status: 'pending',
  createdAt: event.storedAt,
  // Longer than its last delivery, which begins later.
  expiresAt: addDays(event.storedAt, 2 * DELIVERY_DAYS),
});
