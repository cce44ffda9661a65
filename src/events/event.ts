import { type AccountId, newRecord } from '../shared/ids.js';
import { requestContext } from '../shared/request-context.js';
import { type Change, insert } from '../storage/changes.js';
import { collection, type RecordOf, field } from '../storage/collection.js';

/** Event types, by the kind of subject. */
export const EVENT_TYPES = [
  ...(['client.created', 'client.updated', 'client.deleted'] as const),
  ...(['client.restored', 'client.erased'] as const),
  ...(['client.portal_link_created', 'client.signed_in', 'portal.updated'] as const),
  ...(['project.created', 'project.updated', 'project.deleted'] as const),
  'project.restored',
  ...(['license.created', 'license.updated', 'license.activated'] as const),
  ...(['license.activation_rejected', 'license.renewed', 'license.suspended'] as const),
  ...(['license.resumed', 'license.revoked', 'license.reissued'] as const),
  ...(['license.machine_released', 'license.certificate_issued'] as const),
  'license.key_sent',
  ...(['license.expiring', 'license.expired', 'license.updates_expiring'] as const),
  ...(['license.deleted', 'license.restored', 'license.imported'] as const),
  'licenses.exported',
  'license.events_omitted',
  ...(['plan.created', 'plan.updated', 'plan.deleted'] as const),
  ...(['api_key.created', 'api_key.deleted'] as const),
  ...(['member.invited', 'member.joined', 'member.changed', 'member.removed'] as const),
  ...(['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.disabled'] as const),
  ...(['webhook.secret_rotated', 'webhook.test'] as const),
  'mail_template.updated',
  'signing_keys.rotated',
  'session.ended',
  ...(['account.created', 'account.logged_in', 'account.login_failed'] as const),
  'account.password_changed',
  ...(['account.disabled', 'account.events_omitted'] as const),
  ...(['account.factor_added', 'account.factor_removed', 'account.factors_reset'] as const),
  ...(['account.recovery_codes_created', 'account.codes_locked'] as const),
  'account.policy_changed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const ACTOR_TYPES = ['user', 'api_key', 'machine', 'client', 'system'] as const;

/** The cause of an event. The service itself is `system`, which has no id or name. */
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

/** The id of the current request in the log; null outside requests. */
export const currentRequestId = (): string | null => requestContext.getStore()?.requestId ?? null;

/** The subject of an event. Its kind is the part of the event type before the dot. */
export interface Subject {
  readonly accountId: AccountId;
  readonly _id: string;
  /** The name that people know it by. */
  readonly name: string;
}

/**
 * The relevant fields; for an update, `{ field: [before, after] }`. Never a license key, token, password or
 * other secret.
 */
export type EventData = Readonly<Record<string, unknown>>;

const FIELDS = {
  _id: field.id(),
  accountId: field.id<AccountId>(),
  type: field.text<EventType>(),
  /** When it happened; for a counted event, when it first happened. */
  at: field.time(),
  /** When it last happened, for an event counted by day. */
  lastAt: field.time().nullable(),
  count: field.integer(),
  subject: field.id(),
  subjectName: field.text(),
  actorType: field.text<Actor['type']>(),
  actor: field.text().nullable(),
  actorName: field.text().nullable(),
  data: field.json<EventData>(),
  /** The id of the request in the log; null if there was none. */
  requestId: field.text().nullable(),
  storedAt: field.time(),
};

/** Something that changed or was attempted. Stored in the same commit, and immutable except for its count. */
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
  /** Defaults to the caller of the current request, or the service. */
  readonly by?: Actor;
  /** Defaults to the current request. */
  readonly requestId?: string | null;
  /** Defaults to now. */
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

/** The change that stores an event, for the commit it records. */
export const record = (...event: Parameters<typeof newEvent>): Change =>
  insert(EVENTS, newEvent(...event));

/** Like {@link record}, for kinds of records with an owner and a name. */
export const recordOf =
  <Kind extends 'client' | 'project' | 'plan'>(kind: Kind) =>
  (
    type:
      | ('created' | 'updated' | 'deleted')
      | (Kind extends 'plan' ? never : 'restored')
      | (Kind extends 'client' ? 'erased' : never),
    { _id, owner: accountId, name }: { _id: string; owner: AccountId; name: string },
    at: Date,
    data: EventData = {},
  ): Change =>
    record(`${kind}.${type}` as EventType, { accountId, _id, name }, at, { data });

/** Whether a type matches one of these patterns: `license.*` matches all license types, `*` matches all types. */
export const isOfTypes = (type: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern,
  );

const ACCOUNT_TYPES = ['account.*', 'member.*', 'api_key.*', 'session.*'];

/**
 * Whether a type is about logins, members, API keys or sessions, which API keys and members below admin
 * must not see.
 */
export const isAccountEvent = (type: string): boolean =>
  isOfTypes(type, ACCOUNT_TYPES) && type !== 'account.events_omitted';

/** The differences of an update: `{ field: [before, after] }`. */
export function changesOf<R extends object>(
  before: R,
  after: R,
  fields: readonly (keyof R & string)[],
): EventData {
  const changed = fields.filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, [before[name], after[name]]]));
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
