import type { Principal } from '../auth/principal.js';
import {
  type Event,
  isAccountEvent,
  isOfTypes,
  record,
  type Subject,
  SYSTEM,
} from '../events/event.js';
import { type AccountId, newRecord } from '../shared/ids.js';
import { addDays } from '../shared/time/calendar.js';
import { type Change, replace } from '../storage/changes.js';
import { collection, type RecordOf, field } from '../storage/collection.js';
import type { Outcome } from './delivery.js';

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;

/**
 * `request`: by its account; `gone`: it responded 410; `failing`: it failed for five days; `backlog`: it
 * had the account's largest backlog, which was too large.
 */
export const DISABLED_REASONS = ['request', 'gone', 'failing', 'backlog'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The creator of a webhook, with the name at that time, because the webhook outlives its creator. */
export type Creator = Pick<Principal, 'type' | 'id' | 'name'>;

/** A stored secret, sealed to its webhook. */
export interface SealedSecret {
  readonly sealed: string;
  /** When it stops signing; null for the current secret. */
  readonly endsAt: Date | null;
}

const FIELDS = {
  _id: field.id(),
  accountId: field.id<AccountId>(),
  url: field.text(),
  types: field.list<string>(),
  description: field.text().nullable(),
  status: field.text<(typeof WEBHOOK_STATUSES)[number]>(),
  /** Null while enabled. */
  disabledReason: field.text<DisabledReason>().nullable(),
  /** The current secret and, for a day, the previous one. */
  secrets: field.json<readonly SealedSecret[]>(),
  createdBy: field.json<Creator>(),
  /** How often the webhook was enabled. Deliveries from an earlier term are not sent. */
  term: field.integer(),
  /** The first failed attempt since the last success. */
  failingSince: field.time().nullable(),
  createdAt: field.time(),
  updatedAt: field.time(),
};

/** The endpoint that an account's events are sent to. */
export type Webhook = RecordOf<typeof FIELDS>;

/** A webhook without secrets, as used in responses and idempotency records. */
export type ShownWebhook = Omit<Webhook, 'secrets'>;

export const WEBHOOKS = collection<Webhook>('webhooks', {
  fields: FIELDS,
  indexes: [
    ['accountId', 'createdAt', '_id'],
    ['status', 'failingSince'],
  ],
  account: 'accountId',
});

/** Maximum number of webhooks per account. */
export const MAX_WEBHOOKS = 20;

/** The fields of a webhook that its account sets. */
export type WebhookFields = Pick<Webhook, 'url' | 'types' | 'description'>;
export interface WebhookChanges extends Partial<WebhookFields> {
  readonly status?: Webhook['status'];
}

export const newWebhook = (
  { accountId, type, id: creator, name }: Principal,
  fields: WebhookFields,
  createdAt: Date,
): ShownWebhook => ({
  ...newRecord(),
  accountId,
  ...fields,
  createdBy: { type, id: creator, name },
  status: 'enabled',
  disabledReason: null,
  term: 1,
  failingSince: null,
  createdAt,
  updatedAt: createdAt,
});

/** A webhook after an update. Enabling starts a new term, which sends only new events. */
export function updatedWebhook(
  webhook: Webhook,
  changes: WebhookChanges,
  updatedAt: Date,
): Webhook {
  const { status = webhook.status } = changes;
  const after = { ...webhook, ...changes, updatedAt };
  if (status === webhook.status) return after;
  return status === 'disabled'
    ? { ...after, disabledReason: 'request' }
    : { ...after, disabledReason: null, failingSince: null, term: webhook.term + 1 };
}

/** A webhook is disabled after this many days without a success. */
const MAX_FAILING_DAYS = 5;

/** A webhook after a delivery attempt; the same object if nothing changes. */
export function afterAttempt(webhook: Webhook, { responseStatus, error }: Outcome, now: Date) {
  if (webhook.status === 'disabled') return webhook;
  const failingSince = error ? (webhook.failingSince ?? now) : null;
  const after = failingSince === webhook.failingSince ? webhook : { ...webhook, failingSince };
  if (responseStatus === 410) return disabledWebhook(after, 'gone', now);
  const isFailing = failingSince && now >= addDays(failingSince, MAX_FAILING_DAYS);
  return isFailing ? disabledWebhook(after, 'failing', now) : after;
}

/** A webhook disabled by the service. */
export const disabledWebhook = (
  webhook: Webhook,
  disabledReason: DisabledReason,
  updatedAt: Date,
): Webhook => ({ ...webhook, status: 'disabled', disabledReason, updatedAt });

/** The changes that store a webhook the service {@link disabledWebhook | disabled}. */
export const disableWebhook = (before: Webhook, after: Webhook): Change[] => [
  replace(WEBHOOKS, before, after),
  record('webhook.disabled', subjectOf(after), after.updatedAt, {
    data: { reason: after.disabledReason },
    by: SYSTEM,
  }),
];

/** Whether a webhook receives an event; a test event only reaches the webhook under test. */
export function isSubscribed(
  { _id, status, types, createdBy }: Webhook,
  { type, subject }: Pick<Event, 'type' | 'subject'>,
): boolean {
  if (status === 'disabled') return false;
  if (type === 'webhook.test') return subject === _id;
  // Events of imports go only to webhooks that name the type, because an import can cause thousands.
  if (type === 'license.imported') return types.includes(type);
  return isOfTypes(type, types) && (createdBy.type === 'user' || !isAccountEvent(type));
}

/** The origin of a URL. Events show only this, because paths and queries may contain credentials. */
export const originOf = (url: string): string => new URL(url).origin;

export const subjectOf = ({ accountId, _id, url }: ShownWebhook): Subject => ({
  accountId,
  _id,
  name: originOf(url),
});
