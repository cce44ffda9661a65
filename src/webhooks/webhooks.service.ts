import { Injectable } from '@nestjs/common';
import { withLiveAccess } from '../auth/access/with-live-access.js';
import type { Principal, UserPrincipal } from '../auth/principal.js';
import { changesOf, EVENTS, isAccountEvent, newEvent, record } from '../events/event.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { validationError } from '../shared/errors/validation-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { Clock } from '../shared/time/clock.js';
import {
  type Change,
  increment,
  insert,
  isUnchanged,
  remove,
  removeAll,
  replace,
} from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { getOwned, Store } from '../storage/store.js';
import { omitUndefined } from '../storage/filter.js';
import {
  DELIVERIES,
  DELIVERIES_PER_COMMIT,
  type Delivery,
  dueNow,
  MESSAGES,
  requeued,
  withoutResponses,
} from './delivery.js';
import { newSecret, rotated, sealedSecret } from './secrets.js';
import { Sender } from './sending/sender.js';
import {
  updatedWebhook,
  MAX_WEBHOOKS,
  newWebhook,
  originOf,
  subjectOf,
  type ShownWebhook,
  type Webhook,
  type WebhookChanges,
  type WebhookFields,
  WEBHOOKS,
} from './webhook.js';

/** The deliveries that show how well a webhook works. */
const RECENT = 50;

/** The webhooks of an account, and their deliveries. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly sender: Sender,
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the webhook and its secret; no secret if an earlier request with the same idempotency key created it
   * @throws DomainError VALIDATION_ERROR for a disallowed URL, or a type the caller may not receive;
   * WEBHOOK_QUOTA_REACHED, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED; UNAUTHORIZED if the account was deleted
   */
  async create(
    caller: Principal,
    fields: WebhookFields,
    idempotency?: IdempotencyRecord,
  ): Promise<{ webhook: ShownWebhook; secret: string | null }> {
    const { accountId } = caller;
    requireTypes(caller, fields);
    const secret = newSecret();
    const shown = newWebhook(caller, fields, this.clock.now());
    const secrets = [sealedSecret(this.dataKeys.sealing, shown._id, secret)];
    let checkedUrl: Promise<void> | undefined;
    const decide = async () => {
      const totals = await this.store.find(TOTALS, { _id: accountId });
      if (!totals) throw new DomainError('UNAUTHORIZED');
      if (totals.webhooksCount >= MAX_WEBHOOKS) throw new DomainError('WEBHOOK_QUOTA_REACHED');
      // Resolving the URL may wait for name servers, so this first checks that the webhook can be created.
      await (checkedUrl ??= this.requireUrl(fields));
      const atMost = { webhooksCount: MAX_WEBHOOKS };
      const data = { url: originOf(shown.url), types: shown.types };
      const changes = [
        increment(TOTALS, accountId, { webhooksCount: 1 }, { atMost }),
        insert(WEBHOOKS, { ...shown, secrets }),
        record('webhook.created', subjectOf(shown), shown.createdAt, { data }),
      ];
      return { result: shown, changes };
    };
    const webhook = await this.decisions.run<ShownWebhook>(withLiveAccess(caller, decide), {
      idempotency,
    });
    return { webhook, secret: webhook === shown ? secret : null };
  }

  /** The webhooks of an account, newest first; at most {@link MAX_WEBHOOKS}. */
  list(accountId: AccountId): Promise<Webhook[]> {
    return this.store.list(WEBHOOKS, { accountId }, NEWEST_FIRST, { limit: MAX_WEBHOOKS });
  }

  /** How many of the newest deliveries of each of these webhooks have been attempted, and how many of these succeeded. */
  async countRecent(webhooks: readonly Webhook[], accountId: AccountId) {
    // One read each, because together their responses can have 17 MB, which would block the main thread.
    const counted = webhooks.map(async ({ _id: webhook }) => {
      const filter = { accountId, webhook };
      const newest = await this.store.list(DELIVERIES, filter, NEWEST_FIRST, { limit: RECENT });
      const attempted = newest.filter(({ attempts }) => attempts > 0);
      const delivered = attempted.filter(({ status }) => status === 'delivered');
      return [webhook, { attempted: attempted.length, delivered: delivered.length }] as const;
    });
    const counts = new Map(await Promise.all(counted));
    return ({ _id }: Webhook) => counts.get(_id)!;
  }

  /** @throws DomainError WEBHOOK_NOT_FOUND */
  get(_id: string, accountId: AccountId): Promise<Webhook> {
    return getOwned(this.store, WEBHOOKS, _id, accountId, 'WEBHOOK_NOT_FOUND');
  }

  /**
   * @throws DomainError WEBHOOK_NOT_FOUND; SESSION_REQUIRED for an API key if a member created it; also the
   *   errors of {@link create}
   */
  async update(
    _id: string,
    caller: Principal,
    fields: { readonly [K in keyof WebhookChanges]?: WebhookChanges[K] | undefined },
  ): Promise<Webhook> {
    const changes: WebhookChanges = omitUndefined(fields);
    await this.getForChange(_id, caller);
    requireTypes(caller, changes);
    await this.requireUrl(changes);
    const decide = async () => {
      const before = await this.getForChange(_id, caller);
      const now = this.clock.now();
      const webhook = updatedWebhook(before, changes, now);
      if (isUnchanged(before, webhook)) return { result: before, changes: [] };
      const { url, ...others } = changesOf(before, webhook, [
        'url',
        'types',
        'description',
        'status',
      ]);
      const data = url ? { url: [before.url, webhook.url].map(originOf), ...others } : others;
      const event = record('webhook.updated', subjectOf(webhook), now, { data });
      const ended = webhook.status === 'disabled' ? [dueNow(webhook, now)] : [];
      return { result: webhook, changes: [replace(WEBHOOKS, before, webhook), ...ended, event] };
    };
    return this.decisions.run(withLiveAccess(caller, decide), { key: _id });
  }

  /**
   * Also deletes its deliveries. Those beyond one commit are unreachable and not sent.
   *
   * @throws DomainError as for {@link update}
   */
  delete(_id: string, caller: Principal): Promise<void> {
    const decide = async (failed?: Change) => {
      if (failed?.collection === TOTALS) throw new DomainError('UNAUTHORIZED');
      const webhook = await this.getForChange(_id, caller);
      const changes = [
        removeAll(DELIVERIES, { webhook: _id }, DELIVERIES_PER_COMMIT),
        increment(TOTALS, caller.accountId, { webhooksCount: -1 }),
        remove(WEBHOOKS, webhook),
        record('webhook.deleted', subjectOf(webhook), this.clock.now()),
      ];
      return { result: undefined, changes };
    };
    return this.decisions.run<void>(decide, { key: _id });
  }

  /**
   * The previous secret also signs for a day, unless it must end now.
   *
   * @returns the new secret; null if an earlier request with the same idempotency record rotated it
   * @throws DomainError WEBHOOK_NOT_FOUND, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  async rotateSecret(
    _id: string,
    caller: UserPrincipal,
    expireOld: boolean,
    idempotency?: IdempotencyRecord,
  ): Promise<string | null> {
    const secret = newSecret();
    const sealed = sealedSecret(this.dataKeys.sealing, _id, secret);
    const rotation = {};
    const decide = async () => {
      const before = await this.get(_id, caller.accountId);
      const now = this.clock.now();
      const secrets = rotated(before.secrets, sealed, now, expireOld);
      const webhook = { ...before, secrets, updatedAt: now };
      const event = record('webhook.secret_rotated', subjectOf(before), now, {
        data: { expireOld },
      });
      return { result: rotation, changes: [replace(WEBHOOKS, before, webhook), event] };
    };
    const done = await this.decisions.run<object>(withLiveAccess(caller, decide), {
      idempotency,
      key: _id,
    });
    return done === rotation ? secret : null;
  }

  /**
   * Sends an event to one webhook, regardless of its types.
   *
   * @returns the id of the event
   * @throws DomainError WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED
   */
  async test(_id: string, accountId: AccountId, idempotency?: IdempotencyRecord): Promise<string> {
    const decide = async () => {
      const webhook = await this.get(_id, accountId);
      if (webhook.status === 'disabled') throw new DomainError('WEBHOOK_DISABLED');
      const event = newEvent('webhook.test', subjectOf(webhook), this.clock.now());
      return { result: { event: event._id }, changes: [insert(EVENTS, event)] };
    };
    return (await this.decisions.run(decide, { idempotency })).event;
  }

  /**
   * A page of a webhook's deliveries, optionally in one status, newest first.
   *
   * @throws DomainError WEBHOOK_NOT_FOUND
   */
  async listDeliveries(
    webhook: string,
    accountId: AccountId,
    page: PageRequest,
    status?: Delivery['status'],
  ): Promise<Page<Delivery>> {
    await this.get(webhook, accountId);
    const filter = { accountId, webhook, ...omitUndefined({ status }) };
    return readPage(this.store, DELIVERIES, filter, NEWEST_FIRST, page);
  }

  /**
   * A delivery with its attempts and the body of its message.
   *
   * @throws DomainError WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND
   */
  async getDelivery(_id: string, webhook: string, accountId: AccountId) {
    await this.get(webhook, accountId);
    const delivery = await this.findDelivery(_id, webhook);
    const message = await this.store.find(MESSAGES, { _id: delivery.event });
    if (!message) throw new DomainError('DELIVERY_NOT_FOUND');
    return { delivery, body: message.body };
  }

  /** @throws DomainError DELIVERY_NOT_FOUND */
  private async findDelivery(_id: string, webhook: string): Promise<Delivery> {
    const delivery = await this.store.find(DELIVERIES, { _id });
    if (delivery?.webhook !== webhook) throw new DomainError('DELIVERY_NOT_FOUND');
    return delivery;
  }

  /** Sends a delivery again, whatever its status. @throws DomainError WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND, WEBHOOK_DISABLED */
  redeliver(
    _id: string,
    webhook: string,
    accountId: AccountId,
    idempotency?: IdempotencyRecord,
  ): Promise<Delivery> {
    const decide = async () => {
      const { status, term } = await this.get(webhook, accountId);
      const before = await this.findDelivery(_id, webhook);
      if (status === 'disabled') throw new DomainError('WEBHOOK_DISABLED');
      const delivery = requeued(before, term, this.clock.now());
      // The result may be stored for an idempotency key, where erasing a client does not find the receivers' responses.
      const result = withoutResponses(delivery);
      return { result, changes: [replace(DELIVERIES, before, delivery)] };
    };
    return this.decisions.run(decide, { idempotency, key: webhook });
  }

  private async getForChange(_id: string, { type, accountId }: Principal): Promise<Webhook> {
    const webhook = await this.get(_id, accountId);
    if (type === 'api_key' && webhook.createdBy.type === 'user')
      throw new DomainError('SESSION_REQUIRED');
    return webhook;
  }

  private async requireUrl({ url }: WebhookChanges): Promise<void> {
    const reason = url === undefined ? null : await this.sender.urlProblem(url);
    if (reason) throw validationError({ url: [`url ${reason}`] });
  }
}

function requireTypes({ type }: Principal, { types = [] }: WebhookChanges): void {
  if (type === 'api_key' && types.some(isAccountEvent)) {
    throw validationError({
      types: [
        'types must not include events about accounts, members, API keys or sessions, unless you log in',
      ],
    });
  }
}
