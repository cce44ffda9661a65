import { type AccountId, newRecord } from '../shared/ids.js';
import { requestContext } from '../shared/request-context.js';
import { type Change, insert } from '../storage/changes.js';
import { collection, id, integer, json, type RecordOf, text, time } from '../storage/collection.js';

/** What happens, by the kind of its subject. */
export const EVENT_TYPES = [
  ...(['client.created', 'client.updated', 'client.deleted'] as const),
  ...(['project.created', 'project.updated', 'project.deleted'] as const),
  ...(['license.created', 'license.updated', 'license.activated'] as const),
  ...(['license.activation_rejected', 'license.renewed', 'license.suspended'] as const),
  ...(['license.resumed', 'license.revoked', 'license.reissued'] as const),
  ...(['license.machine_released', 'license.certificate_issued'] as const),
  ...(['license.expiring', 'license.expired', 'license.updates_expiring'] as const),
  'license.deleted',
  'license.events_omitted',
  ...(['plan.created', 'plan.updated', 'plan.deleted'] as const),
  ...(['api_key.created', 'api_key.deleted'] as const),
  ...(['member.invited', 'member.joined', 'member.changed', 'member.removed'] as const),
  ...(['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.disabled'] as const),
  ...(['webhook.secret_rotated', 'webhook.test'] as const),
  'signing_keys.rotated',
  'session.ended',
  ...(['account.logged_in', 'account.login_failed', 'account.password_changed'] as const),
  ...(['account.disabled', 'account.events_omitted'] as const),
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const ACTOR_TYPES = ['user', 'api_key', 'machine', 'system'] as const;

/** Who caused an event; the service itself is `system`, without id and name. */
export interface Actor {
  readonly type: (typeof ACTOR_TYPES)[number];
  readonly id: string | null;
  readonly name: string | null;
}

export const SYSTEM: Actor = { type: 'system', id: null, name: null };

/** The caller of the current request, or the service. */
export function currentActor(): Actor {
  const principal = requestContext.getStore()?.principal;
  return principal ? { type: principal.type, id: principal.id, name: principal.name } : SYSTEM;
}

/** Names the current request in the log; null outside of requests. */
export const currentRequestId = (): string | null => requestContext.getStore()?.requestId ?? null;

/** What an event is about. Its type is the part of the event's type before the dot. */
export interface Subject {
  readonly accountId: AccountId;
  readonly _id: string;
  /** As people know it. */
  readonly name: string;
}

/**
 * The fields that matter, of an update `{ field: [before, after] }`. Never a license key, a token, a password or another secret.
 */
export type EventData = Readonly<Record<string, unknown>>;

const FIELDS = {
  _id: id(),
  accountId: id<AccountId>(),
  type: text<EventType>(),
  /** When it happened; the first time where it is counted. */
  at: time(),
  /** Of an event that is counted by the day, the last time. */
  lastAt: time().nullable(),
  count: integer(),
  subject: id(),
  subjectName: text(),
  actorType: text<Actor['type']>(),
  actor: text().nullable(),
  actorName: text().nullable(),
  data: json<EventData>(),
  /** Names the request in the log; null where there was none. */
  requestId: text().nullable(),
  storedAt: time(),
};

/** Something that has changed, or was tried: stored in the commit of its change, and never changed but to be counted. */
export type Event = RecordOf<typeof FIELDS>;

export const EVENTS = collection<Event>('events', {
  fields: FIELDS,
  indexes: [
    ['accountId', 'subject', 'at', '_id'],
    ['accountId', 'actor', 'at', '_id'],
    ['accountId', 'at', '_id'],
    ['at'],
  ],
  account: 'accountId',
});

export interface EventDetails {
  readonly data?: EventData;
  /** The caller of the current request by default, or the service. */
  readonly by?: Actor;
  /** The current request by default. */
  readonly requestId?: string | null;
  /** When it is stored, where it happened before. */
  readonly storedAt?: Date;
}

export function newEvent(
  type: EventType,
  { accountId, _id: subject, name: subjectName }: Subject,
  at: Date,
  {
    data = {},
    by = currentActor(),
    requestId = currentRequestId(),
    storedAt = at,
  }: EventDetails = {},
): Event {
  const { type: actorType, id: actor, name: actorName } = by;
  return {
    ...newRecord(),
    accountId,
    type,
    at,
    lastAt: null,
    count: 1,
    subject,
    subjectName,
    actorType,
    actor,
    actorName,
    data,
    requestId,
    storedAt,
  };
}

/** The change that stores an event with the change that it records. */
export const record = (...event: Parameters<typeof newEvent>): Change =>
  insert(EVENTS, newEvent(...event));

/** The same for records of a kind that have an owner and a name. */
export const recordOf =
  (kind: 'client' | 'project' | 'plan') =>
  (
    type: 'created' | 'updated' | 'deleted',
    { _id, owner: accountId, name }: { _id: string; owner: AccountId; name: string },
    at: Date,
    data: EventData = {},
  ): Change =>
    record(`${kind}.${type}`, { accountId, _id, name }, at, { data });

/** Whether a type is one of these, or of a kind: `license.*` names all types of licenses, `*` all. */
export const isOfTypes = (type: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern,
  );

const ACCOUNT_TYPES = ['account.*', 'member.*', 'api_key.*', 'session.*'];

/** Whether a type tells of logins, members, API keys and sessions: neither API keys nor members below an admin get it. */
export const isAccountEvent = (type: string): boolean =>
  isOfTypes(type, ACCOUNT_TYPES) && type !== 'account.events_omitted';

/** What an update has changed: `{ field: [before, after] }` of the fields that differ. */
export function changesOf<R extends object>(
  before: R,
  after: R,
  fields: readonly (keyof R & string)[],
): EventData {
  const changed = fields.filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, [before[name], after[name]]]));
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
