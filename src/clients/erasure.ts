import type { Event, EventData } from '../events/event.js';
import type { StoredResult } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { collection, field, NOT_STORED, type RecordOf } from '../storage/collection.js';
import { addDays } from '../shared/time/calendar.js';
import type { ListPosition } from '../storage/store.js';
import type { Message } from '../webhooks/delivery.js';
import { changedClient, type Client } from './client.js';

const FIELDS = {
  /** The client. */
  _id: field.id(),
  accountId: field.id<AccountId>(),
  /** Which records it was erasing, and the last of them. */
  stage: field.integer(),
  after: field.json<ListPosition>().nullable(),
  expiresAt: field.time(),
};

/** Where an erasure that ran out of time continues. */
export type Erasure = RecordOf<typeof FIELDS>;

export const ERASURES = collection<Erasure>('erasures', {
  fields: FIELDS,
  indexes: [['accountId', '_id'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

export const newErasure = (
  progress: Pick<Erasure, '_id' | 'accountId' | 'stage' | 'after'>,
  now: Date,
): Erasure => ({ ...progress, version: NOT_STORED, expiresAt: addDays(now, 1) });

/** Replaces a name or an email address. */
export const ERASED = '[erased]';

/** A client without name and address; its licenses still belong to it. */
export const erasedClient = (client: Client, now: Date): Client =>
  changedClient(client, { name: ERASED, email: `${client._id}@erased.invalid` }, now);

/** An event about a client, which still shows which fields were changed. */
export const erasedEvent = (event: Event): Event => ({
  ...event,
  subjectName: ERASED,
  data: erasedData(event.data),
});

/** An event caused by a client. */
export const withoutActor = (event: Event): Event => ({ ...event, actorName: ERASED });

const erasedData = (data: EventData): EventData =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.map(() => ERASED) : ERASED,
    ]),
  );

/** The message of an event about a client or one of its licenses, as sent to webhooks. */
export function erasedMessage(message: Message, client: string): Message {
  const body = JSON.parse(message.body) as {
    data: { subject: { id: string }; data: EventData };
  };
  const isAbout = body.data.subject.id === client;
  const data = { ...body.data, ...(isAbout && { data: erasedData(body.data.data) }) };
  return { ...message, body: JSON.stringify(withoutNames({ ...body, data }, client)) };
}

/** The stored response to a request that named the client. */
export const erasedResult = (stored: StoredResult, client: string): StoredResult =>
  JSON.stringify(stored.result).includes(client)
    ? { ...stored, result: withoutNames(stored.result, client) as object }
    : stored;

const OF_CLIENT = ['name', 'email', 'searchName', 'searchEmail'];
const ANYWHERE = ['clientName', 'clientEmail'];

/** A JSON value without the client's names: in the client itself, in references to it, and in its licenses. */
function withoutNames(value: unknown, client: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNames(item, client));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const { _id, id } = value as { _id?: unknown; id?: unknown };
  const isClient = _id === client || id === client;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => {
      const isName = ANYWHERE.includes(field) || (isClient && OF_CLIENT.includes(field));
      return [field, isName && typeof item === 'string' ? ERASED : withoutNames(item, client)];
    }),
  );
}
