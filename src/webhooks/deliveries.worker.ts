import { Injectable, Logger } from '@nestjs/common';
import { record, SYSTEM } from '../events/event.js';
import { BackgroundWorker } from '../shared/background-worker.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, MAX_BATCH_SIZE, removeAll, replace, setAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { RoundRobin } from '../storage/round-robin.js';
import { Store } from '../storage/store.js';
import { attempted, DELIVERIES, type Delivery, ended, leased, type Outcome } from './delivery.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { MESSAGES } from './message.js';
import { Slots } from './slots.js';
import { openSecrets, signedHeaders } from './secrets.js';
import { Sender } from './sending/sender.js';
import { afterAttempt, subjectOf, type Webhook, WEBHOOKS } from './webhook.js';

const PENDING = { status: 'pending' } as const;
const DUE = { stage: 'due' } as const;
const OLDEST_FIRST = { by: '_id', direction: 'asc' } as const;
const SOONEST_FIRST = { by: 'nextAttemptAt', direction: 'asc' } as const;
/** Milliseconds for which the deliveries of a disabled account are put off. */
const PAUSE = 10 * 60_000;

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'license-management-service',
};

/**
 * Sends what is due as long as there are free {@link Slots}, taking the webhooks in turn. Several instances may run it: the one
 * that commits the lease sends.
 */
@Injectable()
export class DeliveriesWorker extends BackgroundWorker {
  private readonly failures = new Logger(DeliveriesWorker.name);
  private readonly slots = new Slots();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly webhooks: RoundRobin<Delivery>;

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly sender: Sender,
    private readonly dataKeys: DataKeys,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
  ) {
    super({ interval: 250, pause: 1 });
    this.webhooks = new RoundRobin(store, DELIVERIES, DUE, 'webhook');
  }

  /** Starts what is due; the attempts themselves go on. */
  async step(): Promise<boolean> {
    if (this.slots.isFull) return false;
    await this.markDue();
    let progress = 0;
    const isMore = await this.webhooks.round(async ({ webhook, accountId }) => {
      progress += await this.goOn(webhook, accountId);
      return !this.slots.isFull && !this.isStopping;
    });
    return isMore || progress > 0;
  }

  /** Resolves once all attempts in progress have ended. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Attempts in progress are given up: another instance repeats them once their leases have ended. */
  override async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await super.beforeApplicationShutdown();
    await this.settle();
  }

  /** Marks some of those whose time has come: a round visits no webhook that has none. */
  private async markDue(): Promise<void> {
    const now = this.clock.now();
    const nextAttemptAt = { before: new Date(now.getTime() + 1) };
    const over = { stage: 'waiting', nextAttemptAt } as const;
    const [soonest] = await this.store.list(DELIVERIES, over, SOONEST_FIRST, { limit: 1 });
    if (soonest) await this.change(setAll(DELIVERIES, over, DUE));
  }

  /** @returns how many deliveries of the webhook were started, failed or put off */
  private async goOn(_id: string, accountId: AccountId): Promise<number> {
    const free = this.slots.freeFor({ _id, accountId });
    if (free === 0) return 0;
    const [webhook, account] = await Promise.all([
      this.store.find(WEBHOOKS, { _id }),
      this.store.find(TOTALS, { _id: accountId }),
    ]);
    const pending = { ...PENDING, webhook: _id };
    if (!webhook || !account) return this.change(removeAll(DELIVERIES, pending));
    const { term } = webhook;
    if (webhook.status === 'disabled') return this.fail(webhook, term + 1);
    const now = this.clock.now();
    const due = { ...DUE, webhook: _id };
    if (account.disabledAt) {
      const nextAttemptAt = new Date(now.getTime() + PAUSE);
      return this.change(setAll(DELIVERIES, due, { nextAttemptAt, stage: 'waiting' }));
    }
    const found = await this.store.list(DELIVERIES, due, OLDEST_FIRST, { limit: free });
    if (found.some((delivery) => delivery.term < term)) return this.fail(webhook, term);
    await Promise.all(found.map((delivery) => this.start(webhook, delivery, now)));
    return found.length;
  }

  /** Ends what was handed on before a term: so nothing of a term that begins meanwhile is lost. */
  private async fail({ _id: webhook }: Webhook, term: number): Promise<number> {
    const failed = { ...ended('failed'), error: 'webhook_disabled' } as const;
    const earlier = { ...PENDING, webhook, term: { before: term } };
    const count = await this.change(setAll(DELIVERIES, earlier, failed));
    if (count === MAX_BATCH_SIZE) await this.change(setAll(DELIVERIES, earlier, DUE));
    return count;
  }

  private async change(change: Change): Promise<number> {
    const committed = await this.store.commit([change]);
    return committed.ok ? committed.affected : 0;
  }

  /** Starts an attempt under a lease; where that cannot be committed, another instance was faster. */
  private async start(webhook: Webhook, delivery: Delivery, now: Date): Promise<void> {
    const lease = leased(delivery, now);
    let attempt: Promise<void> = Promise.resolve();
    this.slots.take(webhook);
    try {
      const { ok } = await this.store.commit([replace(DELIVERIES, delivery, lease)]);
      if (ok) attempt = this.attempt(webhook, lease);
    } finally {
      const running = attempt
        .catch((error: Error) => this.failures.error('An attempt failed', error.stack))
        .finally(() => {
          this.slots.free(webhook);
          this.running.delete(running);
          this.wake();
        });
      this.running.add(running);
    }
  }

  private async attempt(webhook: Webhook, lease: Delivery): Promise<void> {
    const message = await this.store.find(MESSAGES, { _id: lease.event });
    if (!message) return;
    const { _id, body } = message;
    const now = this.clock.now();
    const secrets = openSecrets(this.dataKeys.sealing, webhook, now);
    const headers = { ...HEADERS, ...signedHeaders(_id, body, secrets, now) };
    const sent = await this.sender.send({ url: webhook.url, headers, body }, this.stopping.signal);
    if (!sent) return;
    this.slots.setSlow(webhook, sent.isSlow);
    await this.finish(lease, sent);
  }

  /** Stores an outcome, unless the lease has ended. */
  private async finish(lease: Delivery, outcome: Outcome): Promise<void> {
    const decide = async () => {
      const [delivery, webhook] = await Promise.all([
        this.store.find(DELIVERIES, { _id: lease._id }),
        this.store.find(WEBHOOKS, { _id: lease.webhook }),
      ]);
      const isLeased = delivery?.nextAttemptAt?.getTime() === lease.nextAttemptAt?.getTime();
      if (!delivery || !webhook || !isLeased) return { result: undefined, changes: [] };
      const now = this.clock.now();
      const reached = reachedBy(delivery, webhook, outcome, now);
      const changes = changesAfter(delivery, webhook, reached, outcome, now);
      return { result: reached.status === webhook.status ? undefined : webhook, changes };
    };
    const disabled = await this.decisions.run<Webhook | undefined>(decide);
    this.metrics.count(outcome);
    if (disabled) await this.fail(disabled, disabled.term + 1);
  }
}

/** The webhook after an attempt. */
function reachedBy(
  { term }: Delivery,
  webhook: Webhook,
  { responseStatus, error }: Outcome,
  now: Date,
): Webhook {
  return term === webhook.term
    ? afterAttempt(webhook, error === null, responseStatus === 410, now)
    : webhook;
}

function changesAfter(
  delivery: Delivery,
  webhook: Webhook,
  reached: Webhook,
  outcome: Outcome,
  now: Date,
): Change[] {
  const after = attempted(delivery, outcome, now);
  if (reached === webhook) return [replace(DELIVERIES, delivery, after)];
  if (reached.status === 'enabled') {
    return [replace(DELIVERIES, delivery, after), replace(WEBHOOKS, webhook, reached)];
  }
  const data = { reason: reached.disabledReason };
  return [
    replace(DELIVERIES, delivery, { ...after, ...ended('failed') }),
    replace(WEBHOOKS, webhook, reached),
    record('webhook.disabled', subjectOf(webhook), now, { data, by: SYSTEM }),
  ];
}
