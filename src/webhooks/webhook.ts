import type { Principal } from '../auth/principal.js';
import { type Event, isOfTypes, record, type Subject, SYSTEM } from '../events/event.js';
import { type AccountId, newRecord } from '../shared/ids.js';
import { addDays } from '../shared/time/calendar.js';
import { type Change, replace } from '../storage/changes.js';
import {
  boolean,
  collection,
  id,
  integer,
  json,
  list,
  type RecordOf,
  text,
  time,
} from '../storage/collection.js';
import type { Outcome } from './delivery.js';

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;

/** `request`: by its account; `gone`: it responded with 410; `failing`: for five days; `backlog`: the account's largest was too large. */
export const DISABLED_REASONS = ['request', 'gone', 'failing', 'backlog'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A secret as it is stored: sealed to its webhook. */
export interface SealedSecret {
  readonly sealed: string;
  /** From when on nothing is signed with it; null for the current one. */
  readonly endsAt: Date | null;
}

const FIELDS = {
  _id: id(),
  accountId: id<AccountId>(),
  url: text(),
  types: list<string>(),
  description: text().nullable(),
  status: text<(typeof WEBHOOK_STATUSES)[number]>(),
  /** Null while it is enabled. */
  disabledReason: text<DisabledReason>().nullable(),
  /** The current one, and for a day the one before. */
  secrets: json<readonly SealedSecret[]>(),
  /** Whether a member has created it, and not an API key. */
  isOfSession: boolean(),
  /** Counts how often it was enabled: deliveries of an earlier term are not sent. */
  term: integer(),
  /** The first failed attempt since the last success. */
  failingSince: time().nullable(),
  createdAt: time(),
  updatedAt: time(),
};

/** Where an account's events are sent. */
export type Webhook = RecordOf<typeof FIELDS>;

/** A webhook without its secrets: what responses and idempotency records are made of. */
export type ShownWebhook = Omit<Webhook, 'secrets'>;

export const WEBHOOKS = collection<Webhook>('webhooks', {
  fields: FIELDS,
  indexes: [['accountId', 'createdAt', '_id']],
  account: 'accountId',
});

/** Maximum of webhooks of an account. */
export const MAX_WEBHOOKS = 20;

/** The fields of a webhook that its account sets. */
export type WebhookFields = Pick<Webhook, 'url' | 'types' | 'description'>;
export interface WebhookChanges extends Partial<WebhookFields> {
  readonly status?: Webhook['status'];
}

export const newWebhook = (
  { accountId, type }: Pick<Principal, 'accountId' | 'type'>,
  fields: WebhookFields,
  createdAt: Date,
): ShownWebhook => ({
  ...newRecord(),
  accountId,
  ...fields,
  isOfSession: type === 'user',
  status: 'enabled',
  disabledReason: null,
  term: 1,
  failingSince: null,
  createdAt,
  updatedAt: createdAt,
});

/** A webhook with what a request changes. Enabling it begins anew, with new events alone. */
export function changed(webhook: Webhook, changes: WebhookChanges, updatedAt: Date): Webhook {
  const { status = webhook.status } = changes;
  const after = { ...webhook, ...changes, updatedAt };
  if (status === webhook.status) return after;
  return status === 'disabled'
    ? { ...after, disabledReason: 'request' }
    : { ...after, disabledReason: null, failingSince: null, term: webhook.term + 1 };
}

/** Days without a success after which a webhook is disabled. */
const MAX_FAILING_DAYS = 5;

/** A webhook after an attempt to reach it; the same object if nothing changes. */
export function afterAttempt(webhook: Webhook, { responseStatus, error }: Outcome, now: Date) {
  if (webhook.status === 'disabled') return webhook;
  const failingSince = error ? (webhook.failingSince ?? now) : null;
  const after = failingSince === webhook.failingSince ? webhook : { ...webhook, failingSince };
  if (responseStatus === 410) return disabled(after, 'gone', now);
  const isFailing = failingSince && now >= addDays(failingSince, MAX_FAILING_DAYS);
  return isFailing ? disabled(after, 'failing', now) : after;
}

/** A webhook that the service disables. */
export const disabled = (
  webhook: Webhook,
  disabledReason: DisabledReason,
  updatedAt: Date,
): Webhook => ({ ...webhook, status: 'disabled', disabledReason, updatedAt });

/** The changes that store a webhook which the service has {@link disabled}. */
export const disabling = (before: Webhook, after: Webhook): Change[] => [
  replace(WEBHOOKS, before, after),
  record('webhook.disabled', subjectOf(after), after.updatedAt, {
    data: { reason: after.disabledReason },
    by: SYSTEM,
  }),
];

/** What API keys cannot read otherwise either. */
const OF_SESSIONS = ['account.*', 'member.*', 'api_key.*', 'session.*'];

export const isOfSessions = (type: string): boolean => isOfTypes(type, OF_SESSIONS);

/** Whether an event is sent to a webhook: a test to the one that it tests alone. */
export function receives(
  { _id, status, types, isOfSession }: Webhook,
  { type, subject }: Pick<Event, 'type' | 'subject'>,
): boolean {
  if (status === 'disabled') return false;
  if (type === 'webhook.test') return subject === _id;
  return isOfTypes(type, types) && (isOfSession || !isOfSessions(type));
}

/** The origin of a URL: what of it events show, because paths and queries may hold credentials. */
export const originOf = (url: string): string => new URL(url).origin;

export const subjectOf = ({ accountId, _id, url }: ShownWebhook): Subject => ({
  accountId,
  _id,
  name: originOf(url),
});
