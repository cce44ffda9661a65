import type { Event } from '../events/event.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { addDays } from '../shared/time/days.js';
import { collection, id, NOT_STORED, type RecordOf, text, time } from '../storage/collection.js';
import { DELIVERY_DAYS } from './delivery.js';

const FIELDS = {
  /** That of its event. */
  _id: id(),
  accountId: id<AccountId>(),
  /** What every attempt sends, byte for byte. */
  body: text(),
  expiresAt: time(),
};

/** An event as webhooks get it, stored once for all deliveries in the commit of the event. */
export type Message = RecordOf<typeof FIELDS>;

export const MESSAGES = collection<Message>('webhook_messages', {
  fields: FIELDS,
  indexes: [['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

/** Maximum of bytes of a body: a larger one goes without the license. */
export const MAX_BODY = 64 * 1024;

export const newMessage = ({ _id, accountId, storedAt }: Event, body: string): Message => ({
  _id,
  version: NOT_STORED,
  accountId,
  body,
  // Longer than its deliveries, which may be requested again.
  expiresAt: addDays(storedAt, 2 * DELIVERY_DAYS),
});
